import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Opens a TCP port that leads to another port of this machine, as over a network with this round trip. */
export async function delayConnections(port: number, roundTripMs: number) {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port, host: '127.0.0.1', noDelay: true });
    // The first round trip is that of the connection itself.
    const opened = sleep(roundTripMs / 2);
    pass(client, upstream, opened);
    pass(upstream, client, opened);
    for (const socket of [client, upstream]) sockets.add(socket);
  });

  /** Passes on each part half a round trip after it came. Timers of one length keep their order. */
  function pass(from: Socket, to: Socket, opened: Promise<void>): void {
    const later = async (work: () => void) => {
      await Promise.all([sleep(roundTripMs / 2), opened]);
      if (!to.destroyed) work();
    };
    from.on('data', (part) => void later(() => to.write(part)));
    from.on('end', () => void later(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => sockets.delete(from));
  }

  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close(): void {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
