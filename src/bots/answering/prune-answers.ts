import type { Config } from '../../config.ts';
import type { Db } from '../../platform/database/database.ts';
import { pruneAnswers } from './answer-log-queries.ts';

const chunk = 1_000;

/** Forgets what bots answered longer ago than the settings keep it; the messages stay. */
export async function pruneOldAnswers(
  { db, config }: { db: Db; config: Config },
  isStopping: () => boolean = () => false,
): Promise<void> {
  const prune = () => pruneAnswers(db, config.botAnswerRetentionDays, chunk);
  while (!isStopping() && (await prune()) === chunk);
}
