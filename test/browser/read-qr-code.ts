import { expect } from 'vitest';

/** Reads a clean QR code of bytes, as a phone would, without error correction. */
export function readQrCode(modules: boolean[][]): string {
  const size = modules.length;
  const version = (size - 17) / 4;
  const format = [0, 1, 2, 3, 4].map((x) => Number(modules[8]![x])).join('');
  const mask = masks[(Number.parseInt(format, 2) ^ 0b10101) & 7]!;
  expect((Number.parseInt(format, 2) ^ 0b10101) >> 3, 'error correction').toBe(0);
  const reserved = (x: number, y: number) =>
    (x < 9 && y < 9) ||
    (x > size - 9 && y < 9) ||
    (x < 9 && y > size - 9) ||
    x === 6 ||
    y === 6 ||
    (version > 6 && ((x > size - 12 && y < 6) || (y > size - 12 && x < 6))) ||
    isAlignment(x, y, size, version);

  const bits: number[] = [];
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (!reserved(x, y)) bits.push(Number(modules[y]![x]) ^ Number(mask(x, y) === 0));
      }
    }
  }
  const bytes = bits.join('').match(/.{8}/g)!;
  const sizes = blocksOfVersion[version]!.flatMap(([count, length]) =>
    Array<number>(count).fill(length),
  );
  const blocks = sizes.map((): string[] => []);
  let next = 0;
  for (let place = 0; place < Math.max(...sizes); place++) {
    for (const [index, length] of sizes.entries()) {
      if (place < length) blocks[index]!.push(bytes[next++]!);
    }
  }
  const data = blocks.flat().join('');
  expect(data.slice(0, 4), 'a code of bytes').toBe('0100');
  const countBits = version < 10 ? 8 : 16;
  const length = Number.parseInt(data.slice(4, 4 + countBits), 2);
  const text = data.slice(4 + countBits, 4 + countBits + 8 * length).match(/.{8}/g)!;
  return Buffer.from(text.map((byte) => Number.parseInt(byte, 2))).toString();
}

/** The blocks of each version with error correction M (ISO/IEC 18004), as [count, data bytes]. */
const blocksOfVersion: Record<number, [number, number][]> = {
  6: [[4, 27]],
  7: [[4, 31]],
  8: [
    [2, 38],
    [2, 39],
  ],
  9: [
    [3, 36],
    [2, 37],
  ],
  10: [
    [4, 43],
    [1, 44],
  ],
};

const masks = [
  (x: number, y: number) => (x + y) % 2,
  (_: number, y: number) => y % 2,
  (x: number) => x % 3,
  (x: number, y: number) => (x + y) % 3,
  (x: number, y: number) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2,
  (x: number, y: number) => ((x * y) % 2) + ((x * y) % 3),
  (x: number, y: number) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x: number, y: number) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

/** Versions 7 and higher have three rows of alignment patterns, at 6, the middle and the end; 6 has two. */
function isAlignment(x: number, y: number, size: number, version: number): boolean {
  const last = size - 7;
  const middle = { 7: 22, 8: 24, 9: 26, 10: 28 }[version];
  const at = middle === undefined ? [last] : [6, middle, last];
  return at.some((cx) =>
    at.some((cy) => {
      const isFinder =
        (cx === 6 && cy === 6) || (cx === 6 && cy === last) || (cx === last && cy === 6);
      return !isFinder && Math.abs(x - cx) <= 2 && Math.abs(y - cy) <= 2;
    }),
  );
}
