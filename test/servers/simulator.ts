import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type SimulatorOptions, startSimulator } from '../../src/simulator/start-simulator.ts';
import type { ChatMessage, JsonObject, SimulatedNumber } from '../../src/simulator/types.ts';

interface Answer {
  status: number;
  body: ReturnType<typeof JSON.parse>;
}

export interface TestSimulator {
  url: string;
  number: SimulatedNumber;
  receiver: Receiver;
  call(method: string, path: string, body?: unknown, token?: string): Promise<Answer>;
  /** Sends a text with POST {number}/messages, with these fields added. */
  send(fields?: JsonObject): Promise<Answer>;
  behave(knobs: JsonObject): Promise<Answer>;
  messages(): Promise<ChatMessage[]>;
  /** What the simulator logged. */
  problems: string[];
  close(): Promise<void>;
}

interface Receiver {
  url: string;
  posts: { headers: IncomingHttpHeaders; raw: Buffer }[];
  /** The HTTP statuses of the next responses; 200 if empty. */
  answers: number[];
  /** Every status of every callback so far, in order of arrival. */
  statuses(): JsonObject[];
  inbound(): JsonObject[];
}

/** Starts a simulator with one number whose callbacks go to a receiver of this test. */
export async function startTestSimulator(options: SimulatorOptions = {}): Promise<TestSimulator> {
  const receiver = await startReceiver();
  const problems: string[] = [];
  const log = (message: string) => problems.push(message);
  const simulator = await startSimulator({ log, ...options });
  onTestFinished(() => simulator.close());
  const call = async (method: string, path: string, body?: unknown, token?: string) => {
    const response = await fetch(simulator.url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };
  const made = await call('POST', '/simulator/numbers', { callback_url: receiver.url });
  const number: SimulatedNumber = made.body;
  await call('POST', '/simulator/behaviour', { stepMs: 5 });
  return {
    url: simulator.url,
    number,
    receiver,
    call,
    send: (fields = {}) =>
      call(
        'POST',
        `/v25.0/${number.phone_number_id}/messages`,
        {
          messaging_product: 'whatsapp',
          to: '+15551234567',
          type: 'text',
          text: { body: 'Hello' },
          ...fields,
        },
        number.access_token,
      ),
    behave: (knobs) => call('POST', '/simulator/behaviour', knobs),
    messages: async () => (await call('GET', '/simulator/messages')).body.messages,
    problems,
    close: simulator.close,
  };
}

async function startReceiver(): Promise<Receiver> {
  const posts: Receiver['posts'] = [];
  const answers: number[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      posts.push({ headers: request.headers, raw: Buffer.concat(chunks) });
      response.writeHead(answers.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const values = (): JsonObject[] =>
    posts
      .flatMap(({ raw }) => JSON.parse(raw.toString()).entry)
      .flatMap((entry) => entry.changes)
      .map((change) => change.value);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    posts,
    answers,
    statuses: () => values().flatMap((value) => (value.statuses as JsonObject[]) ?? []),
    inbound: () => values().flatMap((value) => (value.messages as JsonObject[]) ?? []),
  };
}
