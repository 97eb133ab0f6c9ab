import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The maximum size of all files that a browser loads before it shows the first page, compressed with gzip. */
const maxFirstLoadBytes = 180_000;

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; isEntry?: boolean };
export type Manifest = Record<string, Chunk>;

/** Reads Vite's manifest of a build: every chunk with its file and its imports. */
export function readManifest(dist: string): Manifest {
  return JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'));
}

/**
 * Throws if a page of a build loads more JavaScript than allowed: the entry, the code of the page, and
 * everything that these import.
 */
export function checkFirstLoad(dist: string): void {
  const { page, bytes } = largestFirstLoad(dist);
  if (bytes <= maxFirstLoadBytes) return;
  throw new Error(
    `${page} loads ${bytes} bytes of compressed JavaScript at first. At most ${maxFirstLoadBytes} are allowed: load something later, or take a smaller library.`,
  );
}

/**
 * Finds the page that loads the most JavaScript when it is the first one. Pages are what the entry imports
 * dynamically. Dialogs and other parts that a page loads later do not count.
 */
export function largestFirstLoad(dist: string): { page: string; bytes: number } {
  const manifest = readManifest(dist);
  const chunks = Object.keys(manifest);
  const entries = chunks.filter((key) => manifest[key]!.isEntry);
  const pages = entries.flatMap((key) => manifest[key]!.dynamicImports ?? []);
  const loads = [...entries, ...pages].map((page) => {
    const files = new Set([...entries, page].flatMap((key) => [...filesOf(manifest, key)]));
    const sizes = [...files].map((file) => statSync(join(dist, `${file}.gz`)).size);
    return { page, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  });
  return loads.reduce((largest, each) => (each.bytes > largest.bytes ? each : largest));
}

/** Lists the files that a chunk needs: its own, and those of everything that it imports statically. */
export function filesOf(manifest: Manifest, key: string, known = new Set<string>()): Set<string> {
  const { file, imports = [] } = manifest[key]!;
  if (known.has(file)) return known;
  known.add(file);
  for (const each of imports) filesOf(manifest, each, known);
  return known;
}
