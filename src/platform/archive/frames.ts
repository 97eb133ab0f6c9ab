/** A frame of an archive: its kind, the length of its payload in four bytes, and the payload. */
export const recordFrame = 1;
export const dataFrame = 2;
export const frameHeadBytes = 5;

/** The maximum of a payload. A longer one is a sign of a damaged file. */
export const maxPayloadBytes = 64 * 1024 * 1024;

export function frame(kind: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(frameHeadBytes);
  head[0] = kind;
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}

const name = 'parley archive 1';

/** The first line of an archive, which is never compressed nor encrypted. */
export function firstLine(salt: Buffer | undefined): string {
  return salt ? `${name} sealed ${salt.toString('hex')}\n` : `${name} plain\n`;
}

/** Reads what {@link firstLine} wrote; undefined if a file begins in another way. */
export function readFirstLine(line: string): { salt: Buffer | undefined } | undefined {
  const found = /^parley archive 1 (?:plain|sealed ([0-9a-f]{32}))$/.exec(line);
  return found ? { salt: found[1] ? Buffer.from(found[1], 'hex') : undefined } : undefined;
}
