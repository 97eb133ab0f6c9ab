import { once } from 'node:events';
import {
  type AddressInfo,
  connect,
  createServer,
  type NetConnectOpts,
  type Socket,
} from 'node:net';

export type TcpProxy = {
  port: number;
  /**
   * Loses everything from now on, as if packets were dropped: connections stay open, new ones are accepted, and
   * nothing is ever answered.
   */
  fallSilent(): void;
  /** The same for the connections that are open now, but not for new ones. */
  loseOpen(): void;
  /** Passes on new connections again. Those that fell silent stay so. */
  speak(): void;
  /** Ends the connections that are open now, and passes new ones on to another server. */
  passTo(target: NetConnectOpts): void;
  close(): void;
};

/** Starts a TCP proxy of this machine in front of a server. */
export async function startTcpProxy(server: NetConnectOpts): Promise<TcpProxy> {
  const open = new Set<Socket>();
  const lost = new WeakSet<Socket>();
  let target = server;
  let isSilent = false;
  const listener = createServer((client) => {
    const upstream = isSilent ? undefined : connect(target);
    open.add(client);
    client.on('close', () => {
      open.delete(client);
      upstream?.destroy();
    });
    client.on('error', () => {});
    client.on('data', (bytes) => {
      if (!lost.has(client)) upstream?.write(bytes);
    });
    upstream?.on('error', () => {});
    upstream?.on('data', (bytes) => {
      if (!lost.has(client)) client.write(bytes);
    });
    upstream?.on('close', () => {
      if (!lost.has(client)) client.destroy();
    });
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const loseOpen = () => {
    for (const client of open) lost.add(client);
  };
  const endOpen = () => {
    for (const client of open) client.destroy();
  };
  return {
    port: (listener.address() as AddressInfo).port,
    fallSilent() {
      isSilent = true;
      loseOpen();
    },
    loseOpen,
    speak() {
      isSilent = false;
    },
    passTo(other) {
      target = other;
      endOpen();
    },
    close() {
      endOpen();
      listener.close();
    },
  };
}
