import { randomFillSync } from 'node:crypto';
import { countryOf } from './country-of.ts';

const pool = Buffer.allocUnsafe(8192);
let used = pool.length;

function randomBytesOf(length: number): Buffer {
  if (used + length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += length;
  return pool.subarray(used - length, used);
}

/**
 * Generates a message id like the network's: base64 of a small record with the phone and random bytes,
 * so it may contain `=`, `+` and `/`.
 */
export function newWamid(phone: string): string {
  const digits = Buffer.from(phone, 'latin1');
  const record = Buffer.concat([
    Buffer.from([0x1c, 0x18, digits.length]),
    digits,
    Buffer.from([0x15, 0x02, 0x00, 0x11, 0x18, 0x12]),
    randomBytesOf(18),
    Buffer.from([0]),
  ]);
  return `wamid.${record.toString('base64')}`;
}

/** Generates a string of decimal digits that does not start with 0, like the network's object ids. */
export function newObjectId(length: number): string {
  let id = '';
  for (const byte of randomBytesOf(length)) id += id === '' ? 1 + (byte % 9) : byte % 10;
  return id;
}

/** Generates random hexadecimal text for tokens and secrets. */
export function newSecret(bytes: number): string {
  return randomBytesOf(bytes).toString('hex');
}

/** Generates the trace id of an error body. */
export function newTraceId(): string {
  return `A${randomBytesOf(16).toString('base64url')}`;
}

/** Generates a business-scoped user id, which begins with the country of the phone. */
export function newUserId(phone: string): string {
  return `${countryOf(phone)}.${newObjectId(17)}`;
}
