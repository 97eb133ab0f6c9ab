/**
 * Joins chunks into one buffer. Chunks after the first are copied, so that a peer that sends single
 * bytes does not make us keep an object of a hundred bytes for each.
 */
export function createByteGatherer() {
  let buffer: Buffer = Buffer.alloc(0);
  let length = 0;
  let isOurs = false;

  return {
    /** Adds a chunk. The first one is not copied, so the caller must not write to it again. */
    add(chunk: Buffer): void {
      if (length === 0) {
        buffer = chunk;
        isOurs = false;
      } else {
        if (!isOurs || length + chunk.length > buffer.length) grow(length + chunk.length);
        chunk.copy(buffer, length);
      }
      length += chunk.length;
    },
    length: () => length,
    bytes: (): Buffer => buffer.subarray(0, length),
  };

  function grow(bytes: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * bytes, 1024));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
    isOurs = true;
  }
}
