import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { fault } from '../../errors/fault.ts';
import { OutboundFailure } from '../outbound-failure.ts';
import { maxOverheadBytes, maxRunBytes } from './response-limits.ts';

/**
 * The bytes of one connection on their way to the HTTP parser. The parser reports bodies, but silently reads
 * any number of blanks, chunk extensions or trailers, and creates an error for each header beyond its own
 * limit. So it gets each read in slices, and the bytes outside of bodies are counted in between.
 */
export type Feed = {
  /** The parser has read that many bytes of a body. */
  countBody(bytes: number): void;
  /** The final head has been read. */
  endHead(): void;
  /** The response has been read to its end; what follows belongs to the next response. */
  endResponse(): void;
  /** Stops reading from the connection, after what has been read already. */
  pause(): void;
  resume(): void;
};

/**
 * All connections read into this buffer. By default Node.js allocates 64 KiB for each read; with many
 * responses at once, these pile up faster than the garbage collector frees them.
 */
const sharedBuffer = Buffer.allocUnsafeSlow(64 * 1024);
const minSliceBytes = 1_024;
/** After this many bytes of one connection, the others are served. */
const maxBytesPerTick = 128 * 1024;

const takers = new WeakMap<Socket, (read: Buffer) => boolean>();
let fed: Feed | undefined;

/**
 * Returns the feed whose bytes the parser is reading now. Inside the parser's callbacks, it is that of their
 * connection.
 */
export function currentFeed(): Feed | undefined {
  return fed;
}

/**
 * The `onread` of connections whose reads are fed to the parser (options of `net.connect` and
 * `tls.connect`). Node.js calls it as a method of the socket.
 */
export const onread = {
  buffer: sharedBuffer,
  callback(this: Socket, length: number, buffer: Buffer): boolean {
    return takers.get(this)?.(buffer.subarray(0, length)) ?? true;
  },
};

/**
 * Feeds the reads of each connection to the HTTP parser.
 *
 * @param connect makes connections with `onread`
 * @param options.dropsBody pieces of bodies are not kept, so they need not be copied
 */
export function feedParser(
  connect: buildConnector.connector,
  { dropsBody = false } = {},
): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (!socket) return;
      feed(socket as Socket, dropsBody);
      callback(null, socket);
    });
}

function feed(socket: Socket, dropsBody: boolean): void {
  let receivedBytes = 0;
  let bodyBytes = 0;
  /** `receivedBytes` at the last byte of the body. */
  let bodyEndedAt = 0;
  let hasHead = false;
  let bytesThisTick = 0;
  let isPaused = false;

  const ours: Feed = {
    countBody(bytes) {
      bodyBytes += bytes;
      bodyEndedAt = receivedBytes;
    },
    endHead() {
      hasHead = true;
    },
    endResponse() {
      receivedBytes = 0;
      bodyBytes = 0;
      bodyEndedAt = 0;
      hasHead = false;
    },
    pause() {
      isPaused = true;
    },
    resume() {
      if (!isPaused) return;
      isPaused = false;
      socket.resume();
    },
  };

  /** How many more bytes outside of the body may arrive. */
  const allowance = () =>
    Math.min(
      maxOverheadBytes(bodyBytes) - (receivedBytes - bodyBytes),
      maxRunBytes - (receivedBytes - bodyEndedAt),
    );

  function show(slice: Buffer): void {
    fed = ours;
    try {
      // Until the head is complete, the parser keeps parts of the bytes that it gets.
      socket.push(dropsBody && hasHead ? slice : Buffer.from(slice));
      // The parser reads on this event, which the stream would emit only after the next read.
      socket.emit('readable');
    } finally {
      fed = undefined;
    }
  }

  takers.set(socket, (read) => {
    for (let at = 0; at < read.length && !socket.destroyed; ) {
      const slice = read.subarray(at, at + Math.max(minSliceBytes, allowance()));
      at += slice.length;
      receivedBytes += slice.length;
      show(slice);
      if (allowance() < 0) socket.destroy(tooLong(hasHead));
    }
    bytesThisTick += read.length;
    if (bytesThisTick >= maxBytesPerTick && !isPaused) {
      isPaused = true;
      bytesThisTick = 0;
      setImmediate(ours.resume);
    }
    return !isPaused;
  });
}

function tooLong(hasHead: boolean): OutboundFailure {
  const message = hasHead
    ? fault(
        'too_many_bytes_besides_body',
        'The response has too many bytes besides its body: chunk sizes, extensions or trailers.',
      )
    : fault('response_headers_too_long', 'The headers of the response are too long.');
  return new OutboundFailure('protocol', message);
}
