import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * The maximum size of the JavaScript that a browser loads for its first page, compressed with brotli. All browsers
 * accept it from an HTTPS address.
 */
const maxFirstLoadBytes = 180_000;

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; isEntry?: boolean };
export type Manifest = Record<string, Chunk>;

/** Reads Vite's manifest of a build: every chunk with its file and its imports. */
export function readManifest(dist: string): Manifest {
  return JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'));
}

/** Lists the modules of an application that pages load at once by `earlyPart`, as the manifest names them. */
export function listEarlyParts(folder: string): Set<string> {
  const parts = globSync('src/**/*.tsx', { cwd: folder }).flatMap((path) => {
    const source = readFileSync(join(folder, path), 'utf8');
    const imports = source.matchAll(/\bearlyPart\(\(\) => import\('([^']+)'\)/g);
    return [...imports].map(([, to]) => relative(folder, join(folder, dirname(path), to!)));
  });
  return new Set(parts);
}

/**
 * Throws if a page of a build loads more JavaScript than allowed: the entry, the code of the page, everything that
 * these import, and the early parts among them.
 */
export function checkFirstLoad(dist: string, earlyParts: ReadonlySet<string>): void {
  const { page, bytes } = largestFirstLoad(dist, earlyParts);
  if (bytes <= maxFirstLoadBytes) return;
  throw new Error(
    `${page} loads ${bytes} bytes of compressed JavaScript at first. At most ${maxFirstLoadBytes} are allowed: load something later, or take a smaller library.`,
  );
}

/**
 * Finds the page that loads the most JavaScript when it is the first one. Pages are what the entry imports
 * dynamically. Dialogs and other parts that a page loads later do not count.
 */
export function largestFirstLoad(
  dist: string,
  earlyParts: ReadonlySet<string>,
): { page: string; bytes: number } {
  const manifest = readManifest(dist);
  const chunks = Object.keys(manifest);
  const entries = chunks.filter((key) => manifest[key]!.isEntry);
  const pages = entries.flatMap((key) => manifest[key]!.dynamicImports ?? []);
  const loads = [...entries, ...pages].map((page) => {
    const files = new Set(
      [...entries, page].flatMap((key) => [...filesOf(manifest, key, earlyParts)]),
    );
    const sizes = [...files].map((file) => statSync(join(dist, `${file}.br`)).size);
    return { page, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  });
  return loads.reduce((largest, each) => (each.bytes > largest.bytes ? each : largest));
}

/**
 * Lists the files that a chunk needs: its own, and those of everything that it imports statically.
 *
 * @param earlyParts modules that count although they are imported dynamically
 */
export function filesOf(
  manifest: Manifest,
  key: string,
  earlyParts: ReadonlySet<string> = new Set(),
  known = new Set<string>(),
): Set<string> {
  const { file, imports = [], dynamicImports = [] } = manifest[key]!;
  if (known.has(file)) return known;
  known.add(file);
  const needed = [...imports, ...dynamicImports.filter((each) => earlyParts.has(each))];
  for (const each of needed) filesOf(manifest, each, earlyParts, known);
  return known;
}
