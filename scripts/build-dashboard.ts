import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dashboard');
const dist = join(folder, 'dist');
const stamp = '.built-from';

/**
 * Builds the dashboard into `dashboard/dist` if its sources have changed since the last build.
 *
 * @returns whether it was built now
 */
export async function buildDashboard(): Promise<boolean> {
  const sources = await hashSources();
  if (isFrom(sources, dist)) return false;
  // Built in another folder and renamed, so that two builds at once do not mix.
  const unfinished = join(folder, `dist.${process.pid}`);
  const mode = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    const { build } = await import('vite');
    await build({
      configFile: join(folder, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: unfinished },
    });
    await compressAssets(join(unfinished, 'assets'));
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

async function hashSources(): Promise<string> {
  const hash = createHash('sha256');
  const paths = [
    ...(await filesBelow(join(folder, 'src'))),
    ...(await filesBelow(join(folder, 'public'))),
    join(folder, 'index.html'),
    join(folder, 'vite.config.ts'),
    join(root, 'package-lock.json'),
  ];
  for (const path of paths) hash.update(path).update(await readFile(path));
  return hash.digest('hex');
}

async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const startedAt = Date.now();
  if (await buildDashboard()) {
    process.stdout.write(
      `Built the dashboard in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.\n`,
    );
  }
}
