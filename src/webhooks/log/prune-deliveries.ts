import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import type { Db } from '../../platform/database.ts';
import { listWebhookTenants, pruneDeliveries } from '../delivering/delivery-queries.ts';

/** Rows of one statement: some milliseconds of work, so that no lock is held for long. */
const chunk = 500;
/** For one tenant in one run; the rest waits for the next one. */
const mostChunks = 20;
const pauseMs = 20;

/** Deletes the deliveries, and their attempts, that are older than the settings keep them. */
export async function pruneOldDeliveries(
  { db, config }: { db: Db; config: Config },
  isStopping: () => boolean = () => false,
) {
  for (const tenantId of await listWebhookTenants(db)) {
    for (let chunks = 0; chunks < mostChunks && !isStopping(); chunks++) {
      const count = await pruneDeliveries(db, tenantId, config.deliveryRetentionDays, chunk);
      if (count < chunk) break;
      await pause(pauseMs);
    }
  }
}
