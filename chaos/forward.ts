import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts } from 'node:net';

/** Opens a TCP port of this machine that leads to a server, such as a PostgreSQL on a Unix socket. */
export async function forward(target: NetConnectOpts): Promise<number> {
  const server = createServer((client) => {
    const upstream = connect(target);
    client.on('error', () => upstream.destroy()).pipe(upstream);
    upstream.on('error', () => client.destroy()).pipe(client);
  });
  server.unref();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}
