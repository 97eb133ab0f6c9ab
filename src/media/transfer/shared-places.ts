import { stat } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import type { StoredFile } from '../storage/storage.ts';

type Settings = { config: Pick<Config, 'dataDir' | 'mediaBucket'> };

/** The places that two cells share, by their settings on this machine. */
export type SharedPlaces = { bucket: boolean; folder: boolean };

export async function findSharedPlaces(one: Settings, two: Settings): Promise<SharedPlaces> {
  const [first, second] = [one.config, two.config];
  const bucket = first.mediaBucket !== '' && first.mediaBucket === second.mediaBucket;
  return { bucket, folder: await isSameFolder(first.dataDir, second.dataDir) };
}

async function isSameFolder(one: string, two: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, two].map((path) => stat(path).catch(() => {})));
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

/** Whether both cells find a file under the same key in the same place. */
export function isShared(
  { bucket, folder }: SharedPlaces,
  [from, to]: [tenantId: number, tenantId: number],
  { in_bucket }: Pick<StoredFile, 'in_bucket'>,
): boolean {
  return from === to && (in_bucket ? bucket : folder);
}
