import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';

/**
 * Encrypts and decrypts secrets at rest (AES-256-GCM). A sealed value opens only with the `context` that it
 * was sealed with.
 */
export type Vault = {
  seal(plain: string, context: string): Buffer;
  /** Throws if the value was sealed with another key or for another context, or was changed. */
  open(sealed: Buffer, context: string): string;
  /** Derives a key for one purpose, the same in every process: 32 bytes, base64. */
  derive(purpose: string): string;
};

const ivBytes = 12;
const tagBytes = 16;

/** @param masterKey 32 bytes */
export function createVault(masterKey: Buffer): Vault {
  if (masterKey.length !== 32) throw new Error('The master key must be 32 bytes long.');
  return {
    seal(plain, context) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', masterKey, iv).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
    },
    open(sealed, context) {
      const iv = sealed.subarray(0, ivBytes);
      const tag = sealed.subarray(ivBytes, ivBytes + tagBytes);
      const decipher = createDecipheriv('aes-256-gcm', masterKey, iv)
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      const start = decipher.update(sealed.subarray(ivBytes + tagBytes));
      try {
        return Buffer.concat([start, decipher.final()]).toString('utf8');
      } catch (cause) {
        // The usual cause is a database that was restored without its key.
        throw new Error(
          'A secret in the database cannot be decrypted: it was encrypted with another master key. Restore that key (`parley doctor` shows where), or set the secret again.',
          { cause },
        );
      }
    },
    derive(purpose) {
      return Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32)).toString('base64');
    },
  };
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Generates random letters and digits from a cryptographic source: 5.95 bits each. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => base62[randomInt(62)]).join('');
}

/** `value` in base 62, left-padded with zeros to `length`. */
export function toBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = base62[rest % 62] + text;
  return text.padStart(length, '0');
}

export function sha256(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest();
}

/** Compares two secrets in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}
