import { constants, createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { RunAs } from './run-as.ts';

const maxBytes = 10 * 2 ** 20;
const { O_APPEND, O_CREAT, O_RDONLY, O_RDWR, O_WRONLY, O_NOFOLLOW } = constants;

// None of these follows a link: as root we write into a folder of another user, who could put one there.

/** Opens the log for a server to append to. */
export async function openLog(path: string, owner: RunAs | undefined) {
  const file = await open(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
  if (owner) await file.chown(owner.uid, owner.gid);
  return file;
}

/**
 * Keeps the log below about twice 10 MB. The server holds it open in append mode, so it is copied to
 * `<path>.1` and truncated. Lines written in between are lost.
 */
export async function boundLog(path: string): Promise<void> {
  try {
    const log = await open(path, O_RDWR | O_NOFOLLOW);
    try {
      if ((await log.stat()).size < maxBytes) return;
      const earlier = `${path}.1`;
      await rm(earlier, { force: true });
      const copy = createWriteStream(earlier, { flags: 'wx', mode: 0o600 });
      await pipeline(log.createReadStream({ autoClose: false, start: 0 }), copy);
      await log.truncate();
    } finally {
      await log.close();
    }
  } catch {
    // Not worth failing for: the file is gone or the disk is full. Retried in a minute.
  }
}

/** Reads what was appended since `offset`, at most the last 20 lines. */
export async function readLogSince(path: string, offset: number): Promise<string> {
  try {
    const file = await open(path, O_RDONLY | O_NOFOLLOW);
    try {
      const { size } = await file.stat();
      const from = Math.max(size < offset ? 0 : offset, size - 8192);
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(size - from),
        0,
        size - from,
        from,
      );
      return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-20).join('\n');
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}
