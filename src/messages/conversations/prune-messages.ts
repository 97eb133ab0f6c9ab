import { throttle } from '../../platform/concurrency/throttle.ts';
import type { Services } from '../../services.ts';
import { deleteOldMessages } from './removal-queries.ts';

/** Some 10 ms of work, so that sends do not wait for it. */
const batchSize = 250;

/** Deletes the messages of all tenants that are older than the retention period, in small batches at a 50 % duty cycle. */
export async function pruneMessages(
  { db, config, clock }: Services,
  isStopping: () => boolean = () => false,
): Promise<void> {
  if (config.messageRetentionDays === 0) return;
  const before = new Date(clock.now().getTime() - config.messageRetentionDays * 86_400_000);
  let deleted = batchSize;
  while (deleted === batchSize && !isStopping()) {
    deleted = await throttle(() => deleteOldMessages(db.batched, before, batchSize));
  }
}
