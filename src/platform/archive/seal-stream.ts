import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { Transform } from 'node:stream';

/**
 * Encrypts a stream in chunks (AES-256-GCM), so that nothing is passed on before it is verified. The nonce is the
 * number of the chunk and whether it is the last one: chunks can be neither changed, nor reordered, nor cut off.
 * A key is used for one stream only, because it is derived with the stream's own salt.
 */
const chunkBytes = 65_536;
const tagBytes = 16;
export const saltBytes = 16;
const cost = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/** A file was encrypted with another key, or was changed or cut off. */
export class WrongArchiveKey extends Error {
  override name = 'WrongArchiveKey';
}

export function newSalt(): Buffer {
  return randomBytes(saltBytes);
}

/** Derives the key of one stream from the content of a key file, which may be a passphrase. */
export function deriveArchiveKey(secret: string, salt: Buffer): Buffer {
  return scryptSync(secret, salt, 32, cost);
}

export function createSealer(key: Buffer): Transform {
  return chunked(chunkBytes, (chunk, nonce) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  });
}

/** The stream fails with WrongArchiveKey before it passes on anything that was not sealed with this key. */
export function createOpener(key: Buffer): Transform {
  return chunked(chunkBytes + tagBytes, (chunk, nonce) => {
    const end = chunk.length - tagBytes;
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, nonce);
      decipher.setAuthTag(chunk.subarray(end));
      return Buffer.concat([decipher.update(chunk.subarray(0, end)), decipher.final()]);
    } catch (cause) {
      throw new WrongArchiveKey(
        'The file was encrypted with another key, or it was changed or cut off.',
        { cause },
      );
    }
  });
}

/** Splits a stream into chunks of equal size; the last one may be shorter. */
function chunked(size: number, convert: (chunk: Buffer, nonce: Buffer) => Buffer): Transform {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let number = 0;
  const nonceOf = (isLast: boolean) => {
    const nonce = Buffer.alloc(12);
    nonce.writeUIntBE(number++, 5, 6);
    nonce[11] = isLast ? 1 : 0;
    return nonce;
  };
  return new Transform({
    transform(data: Buffer, _encoding, done) {
      held.push(data);
      heldBytes += data.length;
      // The last chunk is only known at the end, so one is always held back.
      if (heldBytes <= size) return done();
      let rest = Buffer.concat(held);
      try {
        while (rest.length > size) {
          this.push(convert(rest.subarray(0, size), nonceOf(false)));
          rest = rest.subarray(size);
        }
        held = [rest];
        heldBytes = rest.length;
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      try {
        this.push(convert(Buffer.concat(held), nonceOf(true)));
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
