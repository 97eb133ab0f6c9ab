import { randomUUID } from 'node:crypto';
import {
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Place } from './place.ts';

/** Longer than any download takes. */
const maxIncomingAgeMs = 86_400_000;

export type IncomingFolder = {
  /** Makes the folder if it is missing, and returns its path. */
  make(): Promise<string>;
  /** Reads how many bytes are free on its disk. */
  freeBytes(): Promise<number>;
  /** Removes what killed processes left behind. */
  removeLeftovers(): Promise<void>;
};

/** The id of this folder. A process sees by it whether its folder is that of another one, or of another machine. */
export type FolderId = {
  find(): Promise<string | undefined>;
  /** Gives the folder an id if it has none. */
  make(): Promise<string>;
};

/** Creates the place for copies of files in the data folder. */
export function createFolder(
  dataDir: string,
): Place & { incoming: IncomingFolder; folderId: FolderId } {
  const root = join(dataDir, 'media');
  const incoming = join(root, 'incoming');
  const idPath = join(root, 'folder-id');
  const pathOf = (key: string) => join(root, key);

  const findId = async () => (await readFile(idPath, 'utf8').catch(ignoreMissing))?.trim();

  return {
    async put(key, file) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(file.path, path);
      await syncFolder(dirname(path));
    },

    async open(key, range) {
      const handle = await open(pathOf(key)).catch(ignoreMissing);
      return handle?.createReadStream(range && { start: range.first, end: range.last });
    },

    async remove(key) {
      const path = pathOf(key);
      await rm(path, { force: true });
      // Fails while the tenant has other files.
      await rmdir(dirname(path)).catch(() => {});
    },

    async close() {},

    folderId: {
      find: findId,

      async make() {
        const found = await findId();
        if (found) return found;
        await mkdir(incoming, { recursive: true, mode: 0o700 });
        const draft = join(incoming, randomUUID());
        await writeFile(draft, randomUUID(), { mode: 0o600, flush: true });
        // Processes that share the folder agree on the first id. Some file systems have no links.
        await link(draft, idPath).catch((error) => {
          if (error.code !== 'EEXIST') return rename(draft, idPath);
        });
        await rm(draft, { force: true });
        return (await findId())!;
      },
    },

    incoming: {
      async make() {
        await mkdir(incoming, { recursive: true, mode: 0o700 });
        return incoming;
      },

      async freeBytes() {
        const { bavail, bsize } = await statfs(dataDir);
        return bavail * bsize;
      },

      async removeLeftovers() {
        for (const name of (await readdir(incoming).catch(ignoreMissing)) ?? []) {
          const found = await stat(join(incoming, name)).catch(ignoreMissing);
          if (found && found.mtimeMs < Date.now() - maxIncomingAgeMs) {
            await rm(join(incoming, name), { force: true });
          }
        }
      },
    },
  };
}

/** Makes a new name in a folder durable. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
