import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSimulator } from '../../src/simulator/start-simulator.ts';

/** The address of the network, and what the number's owner knows of it. */
export interface NetworkAddress {
  url: string;
  /** A server that answers the verification of a callback URL. */
  callbackUrl: string;
  appId: string;
  phoneNumberId: string;
  businessAccountId: string;
  accessToken: string;
  appSecret: string;
}

type Json = ReturnType<typeof JSON.parse>;

export interface RunningNetwork {
  address: NetworkAddress;
  callbacks: { raw: Buffer; signature: string }[];
  control(method: string, path: string, body?: unknown): Promise<Json>;
  message(id: string): Promise<Json>;
  close(): Promise<void>;
}

/** Starts a simulator with one number, more than a page of templates, and a callback receiver. */
export async function startNetwork(): Promise<RunningNetwork> {
  const callbacks: RunningNetwork['callbacks'] = [];
  const receiver = createServer(async (request, response) => {
    if (request.method === 'GET') {
      const { searchParams } = new URL(String(request.url), 'http://localhost');
      response.end(searchParams.get('hub.challenge'));
      return;
    }
    const raw = Buffer.concat(await request.toArray());
    callbacks.push({ raw, signature: String(request.headers['x-hub-signature-256']) });
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const simulator = await startSimulator();

  async function control(method: string, path: string, body?: unknown): Promise<Json> {
    const response = await fetch(simulator.url + path, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return JSON.parse(await response.text());
  }

  const { port } = receiver.address() as AddressInfo;
  const number = await control('POST', '/simulator/numbers', {
    callback_url: `http://127.0.0.1:${port}/`,
  });
  // More than one page of templates, whatever page size a client requests.
  for (let made = 0; made < 110; made++) {
    await control('POST', '/simulator/templates', {
      business_account_id: number.business_account_id,
      name: `filler_${made}`,
      language: 'en',
      components: [{ type: 'BODY', text: 'Nothing to fill in.' }],
    });
  }
  return {
    address: {
      url: simulator.url,
      callbackUrl: number.callback_url,
      appId: number.app_id,
      phoneNumberId: number.phone_number_id,
      businessAccountId: number.business_account_id,
      accessToken: number.access_token,
      appSecret: number.app_secret,
    },
    callbacks,
    control,
    message: (id) => control('GET', `/simulator/messages/${encodeURIComponent(id)}`),
    async close() {
      await simulator.close();
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}
