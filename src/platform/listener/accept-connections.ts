import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { everyInterface } from './every-interface.ts';
import type { ConnectionLimiter } from './limits/limit-connections.ts';

export type AcceptOptions = {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** How long a client may take to send its first byte. */
  slowClientMs: number;
  limiter: ConnectionLimiter;
};

export type Front = {
  server: Server;
  /** All open connections. */
  sockets: ReadonlySet<Socket>;
};

/**
 * Listens, and passes on each connection after its first byte. A client that stays silent or leaves before
 * that is disconnected, and so is a client beyond the limits.
 *
 * @throws Error that says what to do if it cannot listen
 */
export async function acceptConnections(
  options: AcceptOptions,
  onFirstByte: (socket: Socket, byte: number) => void,
): Promise<Front> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, (socket) => {
    if (!options.limiter.admit(socket)) return;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {}); // a reset; 'close' follows
    readFirstByte(socket, options.slowClientMs, (byte) => onFirstByte(socket, byte));
  });
  server.listen(options.port, await everyInterface(options.host));
  await once(server, 'listening').catch((error) => {
    throw explainListening(error, options);
  });
  return { server, sockets };
}

function readFirstByte(socket: Socket, limitMs: number, then: (byte: number) => void): void {
  const drop = () => socket.destroy();
  socket.setTimeout(limitMs, drop);
  socket.once('end', drop);
  socket.once('data', (chunk: Buffer) => {
    socket.setTimeout(0, drop);
    socket.off('end', drop);
    socket.pause();
    socket.unshift(chunk);
    then(chunk[0] as number);
    // TLS reads the returned byte automatically; an HTTP parser waits until the socket flows.
    process.nextTick(() => socket.resume());
  });
}

function explainListening(error: NodeJS.ErrnoException, { host, port }: AcceptOptions): Error {
  const reason =
    {
      EADDRINUSE: 'another program already listens there; stop it or set PARLEY_PORT',
      EACCES: 'this user may not use that port; set PARLEY_PORT to 1024 or more',
      EADDRNOTAVAIL: 'this machine has no such address; set PARLEY_HOST',
      ENOTFOUND: 'this host name cannot be resolved; set PARLEY_HOST to an address',
    }[error.code ?? ''] ?? error.message;
  return new Error(`Cannot listen on ${host} port ${port}: ${reason}.`, { cause: error });
}
