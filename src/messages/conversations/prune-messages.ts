import { throttle } from '../../platform/concurrency/throttle.ts';
import type { Services } from '../../services.ts';
import { deleteOldMessages, listTenantsWithOldMessages } from './removal-queries.ts';

/** Some 10 ms of work, so that sends do not wait for it. */
const batchSize = 250;
/** The batches of one tenant before the next tenant has its turn. */
const maxBatches = 20;

/** Deletes the messages of all tenants that are older than the retention period, in small batches at a 50 % duty cycle. */
export async function pruneMessages(
  { db, config, clock }: Services,
  isStopping: () => boolean = () => false,
): Promise<void> {
  if (config.messageRetentionDays === 0) return;
  const before = new Date(clock.now().getTime() - config.messageRetentionDays * 86_400_000);
  let tenants = await listTenantsWithOldMessages(db, before);
  while (tenants.length > 0 && !isStopping()) {
    const unfinished: number[] = [];
    for (const tenantId of tenants) {
      if (!(await pruneTurn(tenantId))) unfinished.push(tenantId);
    }
    tenants = unfinished;
  }

  /** Returns whether none of the tenant's messages are that old any more. */
  async function pruneTurn(tenantId: number): Promise<boolean> {
    for (let batches = 0; batches < maxBatches && !isStopping(); batches++) {
      const prune = () => deleteOldMessages(db.batched, tenantId, before, batchSize);
      if ((await throttle(prune)) < batchSize) return true;
    }
    return false;
  }
}
