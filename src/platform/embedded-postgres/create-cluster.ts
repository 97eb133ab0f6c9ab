import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readdir, realpath, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { explainFailure } from './embedded-postgres-failed.ts';
import type { Binaries } from './find-binaries.ts';
import { childOptions, nameUser, type RunAs, removeName, run } from './run-as.ts';
import { mainConfiguration } from './server-settings.ts';
import type { StartLog } from './start-log.ts';

/**
 * Creates a cluster at `entry`, or beside `linkTo` with a link at `entry`. The cluster is made in a folder
 * with another name and then renamed, so that an unfinished one is never taken for a database. If another
 * process was faster, its cluster is used.
 *
 * @returns the real path of the folder
 */
export async function createCluster(options: {
  entry: string;
  linkTo: string | undefined;
  binaries: Binaries;
  runAs: RunAs | undefined;
  durable: boolean;
  log?: StartLog | undefined;
}): Promise<string> {
  const { entry, linkTo, runAs } = options;
  const base = linkTo ?? entry;
  try {
    await mkdir(dirname(base), { recursive: true, mode: 0o755 });
    await discardUnfinished(base);
  } catch (error) {
    throw explainFailure(`The database folder ${base} cannot be created.`, String(error));
  }
  const id = randomBytes(4).toString('hex');
  const unfinished = `${base}.unfinished-${process.pid}-${id}`;
  options.log?.info(`Creating the database in ${base}.`);
  try {
    await fillCluster(unfinished, options);
    if (linkTo) {
      // A new name, so that an older cluster whose data folder was deleted does not come back.
      await rename(unfinished, `${linkTo}-${id}`);
      await symlink(`${linkTo}-${id}`, entry);
      options.log?.warn(
        `The database is in ${linkTo}-${id}, which user ${runAs?.uid} can reach. A copy of the data folder does not contain it, and it stays when that folder is removed.`,
      );
    } else {
      await rename(unfinished, entry);
    }
    await syncFolder(dirname(entry));
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      const output = (error as { stderr?: string }).stderr || String(error);
      throw explainFailure(`The database cannot be created in ${base}${asWho(runAs)}.`, output);
    }
    if (linkTo) await rm(`${linkTo}-${id}`, { recursive: true, force: true });
  }
  return realpath(entry);
}

async function fillCluster(
  folder: string,
  { binaries, runAs, durable }: { binaries: Binaries; runAs: RunAs | undefined; durable: boolean },
): Promise<void> {
  const password = randomBytes(24).toString('base64url');
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  await mkdir(folder, { mode: 0o700 });
  await writeDurably(passwordFile, `${password}\n`, runAs);
  if (runAs) await chown(folder, runAs.uid, runAs.gid);
  const names = await nameUser(folder);
  await run(
    join(binaries.bin, 'initdb'),
    [
      ...['-D', data, '-U', 'postgres', '--pwfile', passwordFile, '-A', 'scram-sha-256'],
      // The system's locales differ between machines, and change under an index. PostgreSQL's own C.UTF-8
      // sorts by code point and knows upper and lower case of every script, so that ILIKE finds "Жанна" by
      // "жан". Unlike PG_UNICODE_FAST, it lowers each letter on its own, which a search for a part of a word
      // needs (Greek final sigma).
      ...['-E', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin'],
      ...['--builtin-locale', 'C.UTF-8', '--text-search-config', 'simple', '--no-instructions'],
      ...(durable ? [] : ['--no-sync']),
    ],
    runAs,
    names,
  );
  const statements = [
    `CREATE ROLE parley LOGIN CREATEDB PASSWORD '${password}'`,
    'CREATE DATABASE parley OWNER parley',
  ];
  // A client computes this many hashes for every connection.
  const throwaway = durable ? [] : ['-F', '-c', 'scram_iterations=1'];
  const args = ['--single', '-D', data, '-c', 'exit_on_error=on', ...throwaway];
  const single = spawn(
    join(binaries.bin, 'postgres'),
    [...args, 'postgres'],
    childOptions(runAs, names),
  );
  await enterStatements(single, statements);
  await removeName(folder);
  await writeDurably(join(data, 'postgresql.conf'), mainConfiguration, runAs);
}

/** Passes statements to a PostgreSQL without a server, which reads them from its input, one per line. */
function enterStatements(
  child: ChildProcessWithoutNullStreams,
  statements: string[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdout.resume();
    child.stdin.on('error', () => {}); // it exited early: the exit code is reported
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(Object.assign(new Error(`postgres --single ended with ${code}`), { stderr }));
    });
    child.stdin.end(`${statements.join('\n')}\n`);
  });
}

/** Removes folders that a process left behind when it was killed while creating a cluster. */
async function discardUnfinished(base: string): Promise<void> {
  const name = `${basename(base)}.unfinished-`;
  for (const entry of await readdir(dirname(base))) {
    if (!entry.startsWith(name)) continue;
    const pid = Number.parseInt(entry.slice(name.length), 10);
    if (isAlive(pid)) continue;
    // Its initdb can outlive it by a moment, and still writes to the folder.
    const retries = { maxRetries: 20, retryDelay: 50 };
    await rm(join(dirname(base), entry), { recursive: true, force: true, ...retries });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function writeDurably(path: string, text: string, owner: RunAs | undefined): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    if (owner) await file.chown(owner.uid, owner.gid);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

function asWho(runAs: RunAs | undefined): string {
  return runAs ? ` by user ${runAs.uid}` : '';
}
