import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { checkFirstLoad, listEarlyParts } from './first-load.ts';
import { listPreloads } from './list-preloads.ts';

const web = import.meta.dirname;
const stamp = '.built-from';

/** The applications. Each has an `index.html` in a folder of its name. */
const appNames = ['dashboard', 'phone'] as const;
type AppName = (typeof appNames)[number];

/**
 * Builds an application into its folder `dist` if its sources have changed since the last build.
 *
 * @returns whether it was built now
 * @throws Error if a page of it loads more JavaScript than allowed
 */
export async function buildApp(app: AppName): Promise<boolean> {
  const folder = join(web, app);
  const dist = join(folder, 'dist');
  const sources = await hashSources(app);
  if (isFrom(sources, dist)) return false;
  // Built in another folder and renamed, so that two builds at once do not mix.
  const unfinished = join(folder, `dist.${process.pid}`);
  const mode = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    // Loaded only if there is something to build, because they take a second.
    const { build } = await import('vite');
    const { configOf } = await import('./vite.config.ts');
    await build(configOf(folder, unfinished));
    await compressAssets(join(unfinished, 'assets'));
    checkFirstLoad(unfinished, listEarlyParts(folder));
    const preloads = listPreloads(folder, unfinished);
    await writeFile(join(unfinished, 'preloads.json'), JSON.stringify(preloads));
    await writeFile(join(unfinished, stamp), sources);
    await putInPlace(unfinished, dist);
  } finally {
    if (mode === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = mode;
    await rm(unfinished, { recursive: true, force: true });
  }
  return true;
}

/**
 * Moves a finished build to the folder that is served. A build of the same sources that is already there
 * stays, because a starting service may be reading it.
 */
export async function putInPlace(built: string, place: string): Promise<void> {
  const sources = readFileSync(join(built, stamp), 'utf8');
  const earlier = `${built}.earlier`;
  if (existsSync(place) && !isFrom(sources, place)) renameSync(place, earlier);
  await rename(built, place).catch((error) => {
    if (error.code !== 'ENOTEMPTY') throw error;
  });
  await rm(earlier, { recursive: true, force: true });
}

function isFrom(sources: string, build: string): boolean {
  const path = join(build, stamp);
  return existsSync(path) && readFileSync(path, 'utf8') === sources;
}

/** Compresses files once, so that it is not done for each request. */
async function compressAssets(assets: string): Promise<void> {
  const names = (await readdir(assets)).filter((name) => /\.(js|css)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(assets, name));
      await writeFile(join(assets, `${name}.br`), await promisify(brotliCompress)(content));
      await writeFile(join(assets, `${name}.gz`), await promisify(gzip)(content));
    }),
  );
}

/** Hashes the application's own files, the files that applications share, and the versions of libraries. */
async function hashSources(app: AppName): Promise<string> {
  const others: string[] = appNames.filter((each) => each !== app);
  const isSource = (path: string) => {
    const name = relative(web, path);
    const isBuilt = /^\w+\/dist(\.\d.*)?$/.test(name);
    const isOfTests = name === 'gallery' || /\.(examples|test)\.tsx$/.test(name);
    return !others.includes(name) && !isBuilt && !isOfTests;
  };
  const paths = [...(await filesBelow(web, isSource)).sort(), join(web, '..', 'package-lock.json')];
  const hash = createHash('sha256');
  for (const path of paths) hash.update(path).update(await readFile(path));
  return hash.digest('hex');
}

/**
 * Lists the sources below a folder. It does not read the folders of builds at all, because another build may
 * remove its own at any time.
 */
async function filesBelow(folder: string, isSource: (path: string) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sources = entries.filter(({ name }) => isSource(join(folder, name)));
  const paths = sources.map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path, isSource) : [path];
  });
  return (await Promise.all(paths)).flat();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const app of appNames) {
    const startedAt = Date.now();
    if (await buildApp(app)) {
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
      process.stdout.write(`Built the ${app} in ${seconds} s.\n`);
    }
  }
}
