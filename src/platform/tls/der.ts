// DER, the encoding of certificates (ITU-T X.690): the parts that we need.

/** Encodes a tag, the length, and the content. */
export function tagged(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const header =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(header), content]);
}

export function sequence(...contents: Buffer[]): Buffer {
  return tagged(0x30, ...contents);
}

/** @param bytes big-endian, the first below 0x80 */
export function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

export function octets(bytes: Buffer): Buffer {
  return tagged(0x04, bytes);
}

export function bitString(bytes: Buffer, unusedBits = 0): Buffer {
  return tagged(0x03, Buffer.from([unusedBits]), bytes);
}

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const each of rest) {
    const groups = [each & 0x7f];
    for (let left = each >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return tagged(0x06, Buffer.from(bytes));
}

export const yes = tagged(0x01, Buffer.from([0xff]));

/** Takes the first element off `bytes`, and returns its content and the bytes after it. */
export function take(bytes: Buffer): { content: Buffer; rest: Buffer } {
  const first = bytes[1] ?? 0;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const start = 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(2, lengthBytes);
  return { content: bytes.subarray(start, start + length), rest: bytes.subarray(start + length) };
}
