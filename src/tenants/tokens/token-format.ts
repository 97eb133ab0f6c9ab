import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from '../../platform/secrets/crypto.ts';

/**
 * Generates a token: `parley_`, 32 random base62 characters (190 bits), and their CRC-32 as six
 * more characters, so that a scanner for leaked secrets can verify a match.
 */
export function makeToken(): string {
  const body = randomBase62(32);
  return `parley_${body}${checksum(body)}`;
}

/** Whether the text has the format of a token, and is worth a database lookup. */
export function looksLikeToken(text: string): boolean {
  const body = /^parley_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(text);
  return body !== null && checksum(body[1]!) === body[2];
}

function checksum(body: string): string {
  return toBase62(crc32(body), 6);
}
