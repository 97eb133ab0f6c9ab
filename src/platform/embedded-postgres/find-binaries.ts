import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import {
  EmbeddedPostgresFailed,
  explainFailure,
  useOwnDatabase,
} from './embedded-postgres-failed.ts';
import { linkedClusters, type RunAs, run } from './run-as.ts';

export type Binaries = { bin: string; major: string };

/**
 * Finds PostgreSQL's programs in the npm package for this platform, ready to run as `runAs`. If that user
 * cannot reach the package, or its library links are missing and cannot be created, a copy is made once and
 * used from then on.
 *
 * @param options.native the package's folder of programs
 */
export async function findBinaries(options: {
  dataDir: string;
  runAs: RunAs | undefined;
  native?: string;
}): Promise<Binaries> {
  const native = options.native ?? packageFolder();
  await makeLibraryLinks(native).catch(() => {}); // a read-only package: the copy gets them
  const inPlace = await tryBinaries(native, options.runAs);
  if ('major' in inPlace) return inPlace;

  const { version } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8'));
  const copy = join(options.runAs ? linkedClusters : options.dataDir, `postgres-${version}`);
  await copyBinaries(native, copy);
  const copied = await tryBinaries(copy, options.runAs);
  if ('major' in copied) return copied;
  throw explainFailure('The PostgreSQL that comes with Parley does not start.', copied.output);
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '../native');
  } catch (cause) {
    throw new EmbeddedPostgresFailed(
      `The embedded PostgreSQL for ${process.platform}-${process.arch} (npm package ${name}) is not installed. Install with optional dependencies (npm install --include=optional) where that package exists. ${useOwnDatabase}`,
      { cause },
    );
  }
}

async function tryBinaries(
  native: string,
  runAs: RunAs | undefined,
): Promise<Binaries | { output: string }> {
  const bin = join(native, 'bin');
  try {
    await run(join(bin, 'initdb'), ['--version'], runAs); // it needs libraries that postgres does not
    const { stdout } = await run(join(bin, 'postgres'), ['--version'], runAs);
    return { bin, major: /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1] ?? stdout };
  } catch (error) {
    return { output: String((error as { stderr?: string }).stderr || error) };
  }
}

/**
 * Creates the library links of the package. npm packages hold no links, so the package lists them in a file
 * and creates them with an install script, which may have been disabled.
 */
async function makeLibraryLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(native, '..', target);
    if (await lstat(link).catch(() => undefined)) continue;
    await symlink(relative(dirname(target), source), link).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function copyBinaries(native: string, copy: string): Promise<void> {
  if (await lstat(copy).catch(() => undefined)) return;
  const unfinished = `${copy}.unfinished-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
    await cp(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
    await makeLibraryLinks(join(unfinished, 'native'));
    await makeReadable(unfinished);
    await rename(join(unfinished, 'native'), copy);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      throw explainFailure(`PostgreSQL's programs cannot be copied to ${copy}.`, String(error));
    }
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Makes the copy readable for others, whatever the umask was when the package was installed. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}
