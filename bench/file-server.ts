import { createServer } from 'node:http';

/**
 * A file server of a third party: `/known` and `/unknown` are documents of 100 MB, with and without a length.
 */
const megabyte = Buffer.alloc(1024 * 1024);
const server = createServer((request, response) => {
  const megabytes = request.url?.startsWith('/small') ? 1 : 100;
  response.setHeader('content-type', 'application/pdf');
  if (!request.url?.startsWith('/unknown'))
    response.setHeader('content-length', megabytes * megabyte.length);
  let sent = 0;
  const more = () => {
    while (!response.destroyed && sent < megabytes) {
      sent++;
      if (!response.write(megabyte)) return;
    }
    response.end();
  };
  response.on('drain', more);
  more();
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as { port: number }).port });
});
