import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import type { AnswerHead } from './answer-head.ts';
import { createAnswerParser } from './answer-parser.ts';
import { toFailure } from './outbound-failure.ts';

/** What came of a body: all its bytes, or as many as were enough. */
export type MeasuredAnswer = AnswerHead & { bytes: number };

/** As `net.connect` and `tls.connect` take it: reads land in this buffer. */
export type Landing = { buffer: Buffer; callback(length: number, buffer: Buffer): boolean };

/**
 * Every read of every answer lands here, and the next one overwrites it. Node would else give each read
 * a buffer of 64 KiB of its own, and many answers at once leave tens of megabytes of them to collect.
 */
const shared = Buffer.allocUnsafeSlow(64 * 1024);
/** So much of one answer is read before all else has its turn. */
const mostInTurn = 1024 * 1024;

/**
 * Gets an address and measures what it answers, on a connection of its own.
 *
 * @param connectTo makes a connector whose sockets read into the landing given
 * @param enough after how many bytes of the body to stop, by what the head says
 * @param signal ends it; its reason is what is thrown
 * @throws OutboundFailure
 */
export function measureAnswer(
  target: URL,
  {
    connectTo,
    headers = {},
    enough,
    signal,
  }: {
    connectTo: (landing: Landing) => buildConnector.connector;
    headers?: Record<string, string> | undefined;
    enough: (head: AnswerHead) => number;
    signal: AbortSignal;
  },
): Promise<MeasuredAnswer> {
  const answer = createAnswerParser(enough);
  const { promise, resolve, reject } = Promise.withResolvers<MeasuredAnswer>();
  let socket: Socket | undefined;
  let inTurn = 0;

  const succeed = () => {
    socket?.destroy();
    resolve({ ...answer.head()!, bytes: answer.bytes() });
  };
  const fail = (error: unknown) => {
    socket?.destroy();
    reject(toFailure(error, answer.head()?.status));
  };
  const goOn = () => {
    inTurn = 0;
    socket?.resume();
  };
  const landing: Landing = {
    buffer: shared,
    callback(length, buffer) {
      try {
        if (answer.take(buffer, length)) {
          succeed();
          return false;
        }
      } catch (error) {
        fail(error);
        return false;
      }
      inTurn += length;
      if (inTurn < mostInTurn) return true;
      setImmediate(goOn);
      return false;
    },
  };

  signal.addEventListener('abort', () => fail(signal.reason));
  const { host, hostname, protocol, port } = target;
  connectTo(landing)({ host, hostname, protocol, port }, (error, made) => {
    if (error || !made) return fail(error);
    socket = made;
    if (signal.aborted) return socket.destroy();
    socket.on('error', fail);
    socket.on('close', () => {
      try {
        answer.end();
        succeed();
      } catch (broken) {
        fail(broken);
      }
    });
    const lines = Object.entries({ host, connection: 'close', ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`GET ${target.pathname}${target.search} HTTP/1.1\r\n${head}\r\n`);
  });
  return promise;
}
