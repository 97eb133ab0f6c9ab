import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Receives deliveries in its own process and records when each arrived, on the machine's monotonic clock.
 * `/hang/...` never responds, `/fail/...` responds 500. The message `take` requests the times recorded so
 * far: path and id of the event's data to milliseconds.
 */
let received: Record<string, number> = {};
let others = 0;

const server = createServer((request, response) => {
  const at = Number(process.hrtime.bigint()) / 1e6;
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url?.startsWith('/hang')) return void others++;
    if (request.url?.startsWith('/fail')) {
      others++;
      return void response.writeHead(500).end();
    }
    const { data } = JSON.parse(Buffer.concat(chunks).toString());
    received[`${request.url} ${data.id}`] ??= at;
    response.writeHead(204).end();
  });
});
process.on('message', (message) => {
  if (message === 'count') process.send?.({ count: Object.keys(received).length });
  if (message !== 'take') return;
  process.send?.({ received, others });
  received = {};
  others = 0;
});
process.on('SIGTERM', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
