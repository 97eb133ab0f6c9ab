import { rm } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import { refusalMessage } from '../../whatsapp/errors.ts';
import { megabyte } from '../media-kinds.ts';
import { type OpenServices, tryNetwork } from '../open-from-network.ts';
import { download } from '../storage/download.ts';
import type { Storage } from '../storage/storage.ts';
import {
  type Allowance,
  type ClaimedFile,
  dropFile,
  findAllowance,
  recordKept,
} from './claim-queries.ts';
import { foldersDiffer, takeHome } from './media-folders.ts';
import { isQueued } from './queries.ts';

/** Ended: the file is kept, or never will be. Otherwise it is tried again. */
export type KeepOutcome =
  | { outcome: 'kept' | 'gone' | 'unwanted' }
  | { outcome: 'full' | 'unavailable'; reason: string };

export type KeepServices = OpenServices & { config: Config; storage: Storage };

/** The largest file that the network has, if it does not say how long a file is. */
const maxFileBytes = 100 * megabyte;

/**
 * Downloads a claimed file into the data folder, moves it to its place, and records it. Until it is recorded, nobody
 * reads it; a crash in between only repeats the download.
 *
 * @throws if the disk, the place or the database fails
 */
export async function keepFile(services: KeepServices, claimed: ClaimedFile): Promise<KeepOutcome> {
  const { db, storage } = services;
  const { tenant_id: tenantId, network_id: media_id, number_id } = claimed;
  const allowance = await findAllowance(db, tenantId);
  if (!allowance || allowance.days === 0) {
    await dropFile(db, claimed);
    return { outcome: 'unwanted' };
  }
  if (!storage.usesBucket && !(await takeHome(services))) {
    return { outcome: 'unavailable', reason: foldersDiffer.text };
  }
  const opened = await tryNetwork(services, tenantId, { media_id, number_id });
  if (opened.outcome === 'gone') {
    await dropFile(db, claimed);
    return { outcome: 'gone' };
  }
  if (opened.outcome !== 'open') return { outcome: 'unavailable', reason: describe(opened) };
  const { body, bytes, mimeType: mime_type } = opened;
  const full = await findLack(services, allowance, bytes ?? maxFileBytes).catch((error) => {
    body.destroy();
    throw error;
  });
  if (full) {
    body.destroy();
    return { outcome: 'full', reason: full };
  }

  const file = await download(await storage.incoming.make(), body);
  try {
    const copy = await storage.put(claimed, file);
    const { size, sha256 } = file;
    if (await recordKept(db, claimed, { size, sha256, mime_type })) return { outcome: 'kept' };
    await dropFile(db, claimed);
    // With a row, the worker removes the copy, or another process has claimed the file and owns the copy.
    if (!(await isQueued(db, claimed))) await storage.remove(copy);
    return { outcome: 'unwanted' };
  } finally {
    await rm(file.path, { force: true });
  }
}

type NotOpened = Exclude<Awaited<ReturnType<typeof tryNetwork>>, { outcome: 'open' }>;

function describe(opened: NotOpened): string {
  if (opened.outcome === 'disconnected') return 'Its number is not connected.';
  return opened.outcome === 'unreachable'
    ? (opened.cause as Error).message
    : `${refusalMessage(opened.error)}.`;
}

/** Returns what a file of this size lacks, quota or disk space; undefined if there is enough of both. */
async function findLack(
  { config, storage }: KeepServices,
  allowance: Allowance,
  bytes: number,
): Promise<string | undefined> {
  const { mediaQuotaMegabytes: quota, mediaMinFreeMegabytes: minFree } = config;
  if (allowance.bytes + bytes > quota * megabyte) return `The tenant keeps ${quota} MB already.`;
  const freeBytes = await storage.incoming.freeBytes();
  if (freeBytes - bytes < minFree * megabyte) {
    return `The disk of the data folder has ${Math.floor(freeBytes / megabyte)} MB left.`;
  }
}
