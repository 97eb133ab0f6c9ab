import { onTestFinished } from 'vitest';
import { loadMasterKeys } from '../../src/platform/secrets/master-key.ts';
import { copyCluster } from '../database/copy-cluster.ts';
import { runParley } from './bin-parley.ts';
import { createPlace, type Place } from './start-service.ts';

/** Creates a place that is removed at the end of the test. */
export async function newPlace(settings?: Record<string, string>): Promise<Place> {
  const place = await createPlace(settings);
  onTestFinished(() => place.remove());
  return place;
}

/** A place with a finished and migrated cluster and a master key, for tests that are not about their creation. */
export async function readyPlace(settings?: Record<string, string>): Promise<Place> {
  const place = await newPlace(settings);
  await copyCluster(place.dataDir, 'migrated');
  await loadMasterKeys(place.dataDir);
  return place;
}

/** Runs a command that fails, in its own process. */
export async function failureOf({ environment }: Place, ...args: string[]) {
  const ended = await runParley(args, environment).catch((thrown) => thrown);
  return ended as { code: number; stdout: string; stderr: string };
}
