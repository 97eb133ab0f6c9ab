import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Relay = {
  port: number;
  /** Ends the connections that are open, and passes new ones on to another port. */
  passTo(port: number): void;
  close(): void;
};

/** Starts a TCP proxy of this machine whose target can change, so that a client finds another server at its origin. */
export async function startRelay(target: number): Promise<Relay> {
  const open = new Set<Socket>();
  let current = target;
  const server = createServer((client) => {
    const upstream = connect(current, '127.0.0.1');
    open.add(client);
    client
      .on('error', () => {})
      .on('close', () => {
        open.delete(client);
        upstream.destroy();
      });
    upstream.on('error', () => {}).on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const cut = () => {
    for (const client of open) client.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    passTo(port) {
      current = port;
      cut();
    },
    close() {
      server.close();
      cut();
    },
  };
}
