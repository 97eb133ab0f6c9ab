import type { TLSSocket } from 'node:tls';

/** RFC 9113, section 6. */
export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;
export const endStream = 1;
export const endHeaders = 4;

export type Frame = { type: number; flags: number; stream: number; payload: Buffer };

/** A frame as bytes. */
export function frame(
  type: keyof typeof frameTypes,
  { flags = 0, stream = 0, payload = Buffer.alloc(0) }: Partial<Omit<Frame, 'type'>> = {},
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = frameTypes[type];
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Headers as a block that does not use compression (RFC 7541, section 6.2.2). */
export function headerBlock(headers: readonly (readonly [name: string, value: string])[]): Buffer {
  const parts = headers.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]);
  return Buffer.concat(parts);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  return Buffer.concat([integer(bytes.length), bytes]);
}

/** With a prefix of 7 bits (RFC 7541, section 5.1). */
function integer(value: number): Buffer {
  if (value < 127) return Buffer.from([value]);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** The pseudo-headers of a request. */
export function target(method: string, path: string, authority = 'localhost') {
  return [
    [':method', method],
    [':scheme', 'https'],
    [':authority', authority],
    [':path', path],
  ] as [string, string][];
}

/** A HEADERS frame that opens a request. */
export function request(
  stream: number,
  headers: readonly (readonly [string, string])[],
  flags: number = endStream,
): Buffer {
  return frame('headers', { flags: flags | endHeaders, stream, payload: headerBlock(headers) });
}

/** A RST_STREAM or WINDOW_UPDATE frame. */
export function numberFrame(type: 'reset' | 'windowUpdate', stream: number, value: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(value);
  return frame(type, { stream, payload });
}

/** A SETTINGS frame. */
export function settings(...entries: [id: number, value: number][]): Buffer {
  const payload = Buffer.alloc(6 * entries.length);
  entries.forEach(([id, value], index) => {
    payload.writeUInt16BE(id, 6 * index);
    payload.writeUInt32BE(value, 6 * index + 2);
  });
  return frame('settings', { payload });
}

export type RawHttp2 = {
  socket: TLSSocket;
  /** The frames received so far. */
  frames: Frame[];
  /** Sends bytes; resolves when there is room for more, or when the connection has ended. */
  send(...parts: Buffer[]): Promise<void>;
  /** Waits for a frame that has the given fields. Undefined if the connection ends before. */
  next(wanted: { type: keyof typeof frameTypes; stream?: number }): Promise<Frame | undefined>;
  /** Resolves when the connection has ended. */
  ended: Promise<void>;
};

/** Speaks HTTP/2 by hand, for what client libraries do not send. Nothing is acknowledged automatically. */
export function speakHttp2(socket: TLSSocket, opening: Buffer = settings()): RawHttp2 {
  const frames: Frame[] = [];
  const waiting: (() => void)[] = [];
  let hasEnded = false;
  let rest: Buffer = Buffer.alloc(0);
  const wake = () => {
    for (const resume of waiting.splice(0)) resume();
  };
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const length = rest.length < 9 ? Number.POSITIVE_INFINITY : rest.readUIntBE(0, 3);
      if (rest.length < 9 + length) break;
      frames.push({
        type: rest[3]!,
        flags: rest[4]!,
        stream: rest.readUInt32BE(5),
        payload: Buffer.from(rest.subarray(9, 9 + length)),
      });
      rest = rest.subarray(9 + length);
    }
    wake();
  });
  socket.on('error', () => {});
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      hasEnded = true;
      socket.destroy();
      wake();
      resolve();
    };
    socket.once('end', end).once('close', end);
  });
  socket.on('drain', wake);
  socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), opening]));

  return {
    socket,
    frames,
    ended,
    async send(...parts) {
      if (hasEnded || socket.write(Buffer.concat(parts))) return;
      while (!hasEnded && socket.writableNeedDrain) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    async next({ type, stream }) {
      for (let at = 0; ; at++) {
        while (at >= frames.length) {
          if (hasEnded) return undefined;
          await new Promise<void>((resolve) => waiting.push(resolve));
        }
        const found = frames[at]!;
        if (found.type === frameTypes[type] && (stream ?? found.stream) === found.stream) {
          return found;
        }
      }
    },
  };
}
