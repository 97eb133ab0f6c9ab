import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createCluster } from './create-cluster.ts';
import {
  EmbeddedPostgresFailed,
  explainFailure,
  useOwnDatabase,
} from './embedded-postgres-failed.ts';
import { type Binaries, findBinaries } from './find-binaries.ts';
import { canUse, linkedClusters, type RunAs } from './run-as.ts';
import type { StartLog } from './start-log.ts';

/** The paths of one cluster. All are real paths, without links. */
export type Cluster = {
  folder: string;
  data: string;
  socketDir: string;
  port: number;
  logFile: string;
  password: string;
  binaries: Binaries;
  runAs: RunAs | undefined;
};

/** The path of a unix socket has at most 107 bytes, and PostgreSQL appends `/.s.PGSQL.5432.lock`. */
const maxSocketDirLength = 107 - '/.s.PGSQL.5432.lock'.length;
const port = 5432;
/** The user "nobody" on every Linux. PostgreSQL refuses to run as root. */
const unprivileged: RunAs = { uid: 65534, gid: 65534 };

/**
 * Finds the cluster of a data folder, and creates it if there is none.
 *
 *     <dataDir>/postgres/           or a link to /var/lib/parley-clusters/<hash>-<random>/, see createCluster
 *       data/                       PostgreSQL's own folder
 *       socket/                     unless the path is too long for a socket
 *       password                    of both database users, 0600
 *       postgres.log
 */
export async function findCluster(options: {
  dataDir: string;
  durable: boolean;
  log?: StartLog | undefined;
}): Promise<Cluster> {
  await makeDataDir(options.dataDir);
  const dataDir = await realpath(options.dataDir);
  const entry = join(dataDir, 'postgres');
  const asRoot = process.getuid?.() === 0;

  let folder = await followEntry(entry);
  const runAs = asRoot ? await ownerOf(folder) : undefined;
  const binaries = await findBinaries({ dataDir, runAs });
  if (!folder) {
    const linked = runAs !== undefined && !(await ensureAccess(dataDir, runAs));
    folder = await createCluster({
      entry,
      linkTo: linked ? join(linkedClusters, hashOf(dataDir)) : undefined,
      binaries,
      runAs,
      durable: options.durable,
      log: options.log,
    });
  } else if (runAs && !(await canUse(folder, runAs))) {
    throw new EmbeddedPostgresFailed(
      `The database folder ${folder} cannot be reached by user ${runAs.uid}, who runs PostgreSQL. Let that user pass through the folders above it (chmod o+x).`,
    );
  }
  const data = join(folder, 'data');
  await checkVersion(data, binaries);
  return {
    folder,
    data,
    socketDir: await makeSocketDir(folder, runAs),
    port,
    logFile: join(folder, 'postgres.log'),
    password: await readPassword(join(folder, 'password')),
    binaries,
    runAs,
  };
}

/**
 * Makes the data folder private, but not new folders above it, because PostgreSQL's user must pass through
 * them.
 */
async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dirname(resolve(dataDir)), { recursive: true });
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explainFailure(`The data folder ${dataDir} cannot be created.`, String(error));
  }
}

async function followEntry(entry: string): Promise<string | undefined> {
  const found = await lstat(entry).catch(() => undefined);
  if (!found) return undefined;
  try {
    return await realpath(entry);
  } catch (cause) {
    throw new EmbeddedPostgresFailed(
      `${entry} is a link to a database folder that is gone. Bring that folder back from a backup, or remove the link to start with an empty database.`,
      { cause },
    );
  }
}

/** Returns the user for PostgreSQL if we are root: the owner of the cluster if it exists. */
async function ownerOf(folder: string | undefined): Promise<RunAs> {
  if (!folder) return unprivileged;
  const { uid, gid } = await stat(folder);
  return uid === 0 ? unprivileged : { uid, gid };
}

/**
 * Whether the unprivileged user can reach the data folder. If it is root's and closed to others, the user's
 * group gets the right to enter it. Folders above it are not changed.
 */
async function ensureAccess(dataDir: string, runAs: RunAs): Promise<boolean> {
  if (await canUse(dataDir, runAs)) return true;
  const { uid, mode } = await stat(dataDir);
  if (uid !== 0 || (mode & 0o077) !== 0) return false;
  await chown(dataDir, 0, runAs.gid);
  await chmod(dataDir, 0o710);
  if (await canUse(dataDir, runAs)) return true;
  await chown(dataDir, 0, 0);
  await chmod(dataDir, mode & 0o777);
  return false;
}

async function checkVersion(data: string, binaries: Binaries): Promise<void> {
  const file = join(data, 'PG_VERSION');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw explainFailure(`The database in ${data} cannot be read.`, String(error));
  });
  const version = text.trim();
  if (version === binaries.major) return;
  if (!version) {
    throw new EmbeddedPostgresFailed(
      `${data} holds no PostgreSQL database. Bring it back from a backup, or move the folder above it away to start with an empty database.`,
    );
  }
  throw new EmbeddedPostgresFailed(
    `The database in ${data} was created by PostgreSQL ${version}, but this Parley comes with ${binaries.major}. Stop the service and run \`parley backup\` with the Parley that created it (after an upgrade by packaging/install.sh, /opt/parley.old/bin/parley). Then move the folder above away, and run \`parley restore --stopped\` with this one. ${useOwnDatabase}`,
  );
}

async function readPassword(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new EmbeddedPostgresFailed(
        `${file}, the database's password, is missing. Bring it back from a backup of the data folder.`,
        { cause },
      );
    }
    throw explainFailure(`The database password cannot be read from ${file}.`, String(cause));
  }
}

async function makeSocketDir(folder: string, runAs: RunAs | undefined): Promise<string> {
  const owner = runAs?.uid ?? process.getuid?.();
  const inFolder = join(folder, 'socket');
  const path =
    Buffer.byteLength(inFolder) <= maxSocketDirLength
      ? inFolder
      : `/tmp/parley-${owner}-${hashOf(folder)}`;
  const isNew = await mkdir(path, { mode: 0o700 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw explainFailure(
        `The folder for the database's socket cannot be created.`,
        String(error),
      );
    },
  );
  if (isNew && runAs) await chown(path, runAs.uid, runAs.gid);
  const found = await lstat(path);
  // In /tmp, anybody could have created a folder of that name first.
  if (!found.isDirectory() || (found.uid !== owner && found.uid !== 0) || found.mode & 0o077) {
    throw new EmbeddedPostgresFailed(
      `${path} is not a private folder of user ${owner}. Remove it and start again.`,
    );
  }
  return path;
}

function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}
