import type { Services } from '../services.ts';
import { listTenants } from '../tenants/queries.ts';
import { deleteOldMessages } from './conversation-queries.ts';

const messagesAtOnce = 1_000;

/** Removes messages that are older than the settings keep them, tenant by tenant, in small statements. */
export async function pruneMessages({ db, config, clock }: Services): Promise<void> {
  if (config.messageRetentionDays === 0) return;
  const before = new Date(clock.now().getTime() - config.messageRetentionDays * 86_400_000);
  for (const { id } of await listTenants(db)) {
    while ((await deleteOldMessages(db.batched, id, before, messagesAtOnce)) === messagesAtOnce);
  }
}
