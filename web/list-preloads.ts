import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf, readManifest } from './first-load.ts';

/**
 * Lists the files with the code of each page, by the page's address. A page that names them gets them together
 * with the code of all pages, not afterwards. An application without `pages.json` has one page.
 *
 * @throws Error if `pages.json` does not name exactly the pages that were built
 */
export function listPreloads(folder: string, dist: string): Record<string, string[]> {
  const path = join(folder, 'pages.json');
  if (!existsSync(path)) return {};
  const pages: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'));
  const manifest = readManifest(dist);
  const common = filesOf(manifest, 'index.html');
  const preloads = Object.entries(pages).map(([address, page]) => {
    const key = keyOf(page);
    if (!manifest[key]) throw new Error(`pages.json names ${page}, which is not built`);
    return [address, [...filesOf(manifest, key)].filter((file) => !common.has(file))];
  });
  const named = new Set(Object.values(pages).map(keyOf));
  const missing = Object.keys(manifest).find((key) => /-page\.tsx$/.test(key) && !named.has(key));
  if (missing) throw new Error(`pages.json does not name ${missing}`);
  return Object.fromEntries(preloads);
}

const keyOf = (page: string): string => `src/features/${page}.tsx`;
