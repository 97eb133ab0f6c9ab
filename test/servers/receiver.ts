import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = {
  at: number;
  path: string;
  headers: IncomingHttpHeaders;
  /** The raw body. */
  raw: string;
  body: { event: string; data: Record<string, unknown> };
};

/** Starts a tenant's own server on loopback. It records requests, and responds as the test decides. */
export async function startReceiver() {
  const receiver = {
    url: '',
    received: [] as Received[],
    answer: (_received: Received, response: ServerResponse): void => {
      response.writeHead(204).end();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString();
    const received = {
      at: performance.now(),
      path: request.url ?? '',
      headers: request.headers,
      raw,
      body: JSON.parse(raw),
    };
    receiver.received.push(received);
    receiver.answer(received, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}
