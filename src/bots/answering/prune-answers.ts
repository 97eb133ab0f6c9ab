import type { Config } from '../../config.ts';
import type { Db } from '../../platform/database/database.ts';
import { pruneAnswers } from './answer-log-queries.ts';

const chunkSize = 1_000;

/** Deletes the log of answers after the retention time of the settings. The messages stay. */
export async function pruneOldAnswers(
  { db, config }: { db: Db; config: Config },
  isStopping: () => boolean = () => false,
): Promise<void> {
  const prune = () => pruneAnswers(db, config.botAnswerRetentionDays, chunkSize);
  while (!isStopping() && (await prune()) === chunkSize);
}
