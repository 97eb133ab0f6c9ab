import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { OutboundFailure } from './outbound-failure.ts';
import { maxOverheadBytes, maxRunBytes } from './response-limits.ts';

/**
 * The bytes of one connection on their way to the HTTP parser. The parser reports bodies, but reads
 * any number of blanks, chunk extensions or trailers without a sound, and its own limit on headers
 * makes it create an error for each header beyond. So each read is shown to it in slices, and what
 * is no body is counted in between.
 */
export type Feed = {
  /** The parser has read so many bytes of a body. */
  countBody(bytes: number): void;
  /** The final head has been read. */
  endHead(): void;
  /** The response has been read to its end; what follows belongs to the next one. */
  endResponse(): void;
  /** Stops reading from the connection, after what has been read already. */
  pause(): void;
  resume(): void;
};

/**
 * All reads of all connections go into this buffer. By default Node.js allocates 64 KiB for each
 * read, which many responses at once pile up faster than the garbage collector frees it.
 */
const sharedBuffer = Buffer.allocUnsafeSlow(64 * 1024);
const minSliceBytes = 1_024;
/** Other connections get their turn after so many bytes of one. */
const maxBytesPerTurn = 128 * 1024;

const takers = new WeakMap<Socket, (read: Buffer) => boolean>();
let fed: Feed | undefined;

/** The feed whose bytes the parser is reading at this moment: that of its callbacks' connection. */
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
 * @param options.dropsBody nobody keeps pieces of bodies, so they need not be copied
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
  /** How much had been received at the last byte of body. */
  let bodyEndedAt = 0;
  let hasHead = false;
  let bytesThisTurn = 0;
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

  /** How many more bytes may come that are no body. */
  const allowance = () =>
    Math.min(
      maxOverheadBytes(bodyBytes) - (receivedBytes - bodyBytes),
      maxRunBytes - (receivedBytes - bodyEndedAt),
    );

  function show(slice: Buffer): void {
    fed = ours;
    try {
      // Until the head is whole, the parser keeps parts of what it is shown.
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
    bytesThisTurn += read.length;
    if (bytesThisTurn >= maxBytesPerTurn && !isPaused) {
      isPaused = true;
      bytesThisTurn = 0;
      setImmediate(ours.resume);
    }
    return !isPaused;
  });
}

function tooLong(hasHead: boolean): OutboundFailure {
  const message = hasHead
    ? 'The response has too many bytes besides its body: chunk sizes, extensions or trailers.'
    : 'The headers of the response are too long.';
  return new OutboundFailure('protocol', message);
}
