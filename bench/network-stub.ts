import { createServer } from 'node:http';

/**
 * The cheapest possible network: it accepts any send, returns an id, and has no templates. It replaces the
 * simulator where the simulator's cost would hide ours. It runs as a child process and reports its port.
 */
let count = 0;
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') return response.end('{"data":[]}');
    if (request.url?.endsWith('/media')) return response.end(`{"id":"${++count}"}`);
    const id = `wamid.HBgL${(++count).toString(36).padStart(12, '0')}${process.pid}`;
    return response.end(
      `{"messaging_product":"whatsapp","contacts":[{"input":"+14155550123","wa_id":"14155550123"}],"messages":[{"id":"${id}"}]}`,
    );
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as { port: number }).port });
});
