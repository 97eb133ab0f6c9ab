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
 * was sealed with. While the master key is changed there are two: the first encrypts, and both decrypt.
 */
export type Vault = {
  seal(plain: string, context: string): Buffer;
  /** Throws if the value was sealed with an unknown key or for another context, or was changed. */
  open(sealed: Buffer, context: string): string;
  /** Seals a value again that was not sealed with the first key; undefined if it was. Throws as `open` does. */
  reseal(sealed: Buffer, context: string): Buffer | undefined;
  /** Derives a key for one purpose, the same in every process: 32 bytes, base64. */
  derive(purpose: string): string;
  /** Derives the key for a purpose from each master key, to verify what was made with any of them. */
  deriveAll(purpose: string): string[];
  /** How many master keys there are: two while it is changed. */
  keyCount: number;
};

const ivBytes = 12;
const tagBytes = 16;

/** @param masterKeys 32 bytes each. The first encrypts, all decrypt */
export function createVault(...masterKeys: Buffer[]): Vault {
  const [first] = masterKeys;
  if (first === undefined || masterKeys.some((key) => key.length !== 32)) {
    throw new Error('The master key must be 32 bytes long.');
  }
  const derived = (masterKey: Buffer, purpose: string) =>
    Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32)).toString('base64');
  const seal = (plain: string, context: string) => sealWith(first, plain, context);
  function open(sealed: Buffer, context: string): string {
    for (const key of masterKeys) {
      const plain = openWith(key, sealed, context);
      if (plain !== undefined) return plain;
    }
    // The usual cause is a database that was restored without its key.
    throw new Error(
      'A secret in the database cannot be decrypted: it was encrypted with another master key. Restore that key (`parley doctor` shows where), or set the secret again.',
    );
  }
  return {
    seal,
    open,
    reseal(sealed, context) {
      if (openWith(first, sealed, context) !== undefined) return undefined;
      return seal(open(sealed, context), context);
    },
    derive: (purpose) => derived(first, purpose),
    deriveAll: (purpose) => masterKeys.map((key) => derived(key, purpose)),
    keyCount: masterKeys.length,
  };
}

function sealWith(key: Buffer, plain: string, context: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Returns undefined if the value was not sealed with this key and for this context. */
function openWith(key: Buffer, sealed: Buffer, context: string): string | undefined {
  const iv = sealed.subarray(0, ivBytes);
  const tag = sealed.subarray(ivBytes, ivBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, iv)
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  const start = decipher.update(sealed.subarray(ivBytes + tagBytes));
  try {
    return Buffer.concat([start, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
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
