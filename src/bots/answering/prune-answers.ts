import type { Config } from '../../config.ts';
import type { Db } from '../../platform/database/database.ts';
import { pruneInChunks } from '../../platform/jobs/prune-in-chunks.ts';
import { pruneAnswers } from './answer-log-queries.ts';

/** Deletes the log of answers after the retention time of the settings. The messages stay. */
export async function pruneOldAnswers(
  { db, config }: { db: Db; config: Config },
  isStopping: () => boolean = () => false,
): Promise<void> {
  await pruneInChunks(
    (limit) => pruneAnswers(db, config.botAnswerRetentionDays, limit),
    isStopping,
  );
}
