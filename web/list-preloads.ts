import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf, readManifest } from './first-load.ts';

/** A page in `pages.json`, by its address. */
type Page = {
  page: string;
  /** Parts of `web/parts/chart` that the page loads as soon as it runs. */
  charts?: string[];
  /** The requests of the page's loader if the address has no search parameters. */
  data?: string[];
};

/** The code and data that a browser may preload for a page. `*` in data is a `*` of the page's address. */
export type Preloads = { code: string[]; data: string[] };

/**
 * Lists the code and data of each page, by the page's address. A page that names them gets them together
 * with the code of all pages, not afterwards. An application without `pages.json` has one page.
 *
 * @throws Error if `pages.json` does not name exactly the pages that were built
 */
export function listPreloads(folder: string, dist: string): Record<string, Preloads> {
  const path = join(folder, 'pages.json');
  if (!existsSync(path)) return {};
  const pages: Record<string, Page> = JSON.parse(readFileSync(path, 'utf8'));
  const manifest = readManifest(dist);
  const common = filesOf(manifest, 'index.html');
  const preloads = Object.entries(pages).map(([address, { page, charts = [], data = [] }]) => {
    const keys = [keyOf(page), ...charts.map((name) => `../parts/chart/${name}.tsx`)];
    const unknown = keys.find((key) => !manifest[key]);
    if (unknown) throw new Error(`pages.json names ${unknown}, which is not built`);
    const code = new Set(keys.flatMap((key) => [...filesOf(manifest, key)]));
    return [
      address,
      {
        code: [...code].filter((file) => !common.has(file)),
        data: data.map((each) => `/dashboard-api/*${each}`),
      },
    ];
  });
  const named = new Set(Object.values(pages).map(({ page }) => keyOf(page)));
  const missing = Object.keys(manifest).find((key) => /-page\.tsx$/.test(key) && !named.has(key));
  if (missing) throw new Error(`pages.json does not name ${missing}`);
  return Object.fromEntries(preloads);
}

const keyOf = (page: string): string => `src/features/${page}.tsx`;
