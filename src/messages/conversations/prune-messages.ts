import type { Services } from '../../services.ts';
import { deleteOldMessages, nextTenantWithMessages } from './conversation-queries.ts';

const messagesAtOnce = 1_000;

/** Removes messages that are older than the settings keep them, tenant by tenant, in small statements. */
export async function pruneMessages(
  { db, config, clock }: Services,
  isStopping: () => boolean = () => false,
): Promise<void> {
  if (config.messageRetentionDays === 0) return;
  const before = new Date(clock.now().getTime() - config.messageRetentionDays * 86_400_000);
  let tenantId = await nextTenantWithMessages(db, 0);
  while (tenantId !== undefined) {
    let deleted = messagesAtOnce;
    while (deleted === messagesAtOnce) {
      if (isStopping()) return;
      deleted = await deleteOldMessages(db.batched, tenantId, before, messagesAtOnce);
    }
    tenantId = await nextTenantWithMessages(db, tenantId);
  }
}
