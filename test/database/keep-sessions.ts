import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';

/** A session of PostgreSQL that a client has left, with the messages that a new client gets at its start. */
type Session = { server: Socket; greeting: Buffer };

/** Codes of first messages that are not the start of a session. */
const sslRequest = 80_877_103;
const cancelRequest = 80_877_102;

const authenticated = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const discardAll = frame('Q', 'DISCARD ALL\0');

/**
 * Listens as PostgreSQL does, and keeps the sessions that clients leave for the next client with the same startup
 * message. Opening a session takes 40 ms of CPU time, and a command uses two. `DISCARD ALL` returns a session to its
 * start in between, as poolers do. A session whose client vanishes ends, as without this.
 *
 * @returns the folder of its socket, which replaces `host`, and a function that ends all sessions
 */
export async function keepSessions({ host, port }: pg.PoolConfig) {
  const path = join(host!, `.s.PGSQL.${port}`);
  const folder = await mkdtemp(join(tmpdir(), 'parley-sessions-'));
  const left = new Map<string, Session[]>();
  const open = new Set<Socket>();
  const track = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => open.delete(socket));
    return socket;
  };

  // A client that leaves closes its side at once.
  const listener = createServer({ allowHalfOpen: true }, (client) => {
    track(client);
    let session: { send(chunk: Buffer): void } | undefined;
    const readFrames = frames(4, (message) => {
      const code = message.readUInt32BE(4);
      if (code === sslRequest) return client.write('N');
      if (code === cancelRequest) return track(connect(path)).end(message);
      session = startSession(message);
      return undefined;
    });
    client.on('data', (chunk) => (session ? session.send(chunk) : readFrames(chunk)));

    function startSession(startup: Buffer) {
      const key = startup.toString('latin1');
      const kept = left.get(key)?.pop();
      const server = kept?.server ?? track(connect(path));
      let greeting = kept?.greeting;
      const greetings: Buffer[] = [authenticated];
      /** Requests that the server has not finished. At the start it is busy with the startup message. */
      let unfinished = kept ? 0 : 1;
      let isIdle = true;
      let isLeaving = false;

      const readServer = frames(5, (message) => {
        const type = String.fromCharCode(message[0]!);
        if (!greeting && 'SK'.includes(type)) greetings.push(message);
        if (type !== 'Z') return;
        unfinished--;
        isIdle = message[5] === 'I'.charCodeAt(0);
        greeting ??= Buffer.concat([...greetings, message]);
        if (isLeaving) leave();
      });
      const readClient = frames(5, (message) => {
        const type = String.fromCharCode(message[0]!);
        if (type === 'X' && isIdle && unfinished === 0) {
          isLeaving = true;
          server.write(discardAll);
          unfinished++;
          return;
        }
        // A query, the end of a group of messages, or a call of a function.
        if ('QSF'.includes(type)) unfinished++;
        server.write(message);
      });
      const onServer = (chunk: Buffer) => {
        const wasLeaving = isLeaving;
        readServer(chunk);
        if (!wasLeaving) client.write(chunk);
      };
      const endClient = () => client.destroy();
      const vanish = () => {
        if (!isLeaving) server.destroy();
      };
      function leave() {
        server.off('data', onServer).off('close', endClient);
        client.off('end', vanish).off('close', vanish);
        left.set(key, [...(left.get(key) ?? []), { server, greeting: greeting! }]);
        client.end();
      }
      server.on('data', onServer).on('close', endClient);
      client.on('end', vanish).on('close', vanish);
      if (kept) client.write(kept.greeting);
      else server.write(startup);
      return { send: readClient };
    }
  });
  await new Promise<void>((resolve) => listener.listen(join(folder, `.s.PGSQL.${port}`), resolve));

  return {
    host: folder,
    async close() {
      listener.close();
      await Promise.all(
        [...open].map(async (socket) => {
          const closed = new Promise((resolve) => socket.once('close', resolve));
          socket.destroy();
          await closed;
        }),
      );
      await rm(folder, { recursive: true });
    },
  };
}

/** Collects chunks into whole messages: a type of one byte, which the first message lacks, a length, a body. */
function frames(headerBytes: 4 | 5, onMessage: (message: Buffer) => unknown) {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= headerBytes) {
      const length = rest.readUInt32BE(headerBytes - 4) + headerBytes - 4;
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      onMessage(message);
    }
  };
}

function frame(type: string, body: string): Buffer {
  const message = Buffer.from(`${type}0000${body}`);
  message.writeUInt32BE(message.length - 1, 1);
  return message;
}
