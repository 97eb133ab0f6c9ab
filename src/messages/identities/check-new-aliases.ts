import sql from 'sql-template-tag';
import type { Database, Db } from '../../platform/database/database.ts';
import { unlessLocked } from '../../platform/database/unless-locked.ts';
import type { WorkInProgress } from '../../platform/jobs/work-in-progress.ts';
import { isPhone } from '../../platform/values/phones/recipient.ts';
import { addAliases } from './aliases.ts';
import { lockIdentities } from './lock-identities.ts';
import { mergeConversations } from './merging/merge-conversations.ts';
import { lockConversations, moveConversation } from './merging/move-messages.ts';
import { findSettledAliases, forgetGoodAliases, markSeenAliases } from './new-aliases.ts';

const batchSize = 1_000;

/**
 * Checks aliases that were added lately. A message that was being stored at that moment did not see the alias, and is
 * stored under the identity itself, where nobody would find it. It moves to the conversation.
 */
export async function checkNewAliases(
  services: { db: Database; inProgress: WorkInProgress },
  isStopping: () => boolean = () => false,
): Promise<void> {
  await markSeenAliases(services.db);
  const locked = new Set<number>();
  while (!isStopping() && (await checkBatch(services, locked)) > 0);
}

/** @returns the number of aliases that it found */
async function checkBatch(
  { db, inProgress }: { db: Database; inProgress: WorkInProgress },
  locked: Set<number>,
): Promise<number> {
  // A tenant that moves waits for the end of this.
  const endClaim = inProgress.beginClaim();
  try {
    const settled = await findSettledAliases(db, batchSize, [...locked]);
    if (settled.length === 0) return 0;
    // In a statement of its own, which sees everything that the ended transactions stored.
    for (const { tenant_id: tenantId, identity } of await forgetGoodAliases(db, settled)) {
      // The next run repairs those of locked tenants.
      await unlessLocked(db, { tenantId, locked }, (tx) => repairAlias(tx, tenantId, identity));
    }
    return settled.length;
  } finally {
    endClaim();
  }
}

/** Moves the messages of an identity to the conversation of its alias, and lets the alias lead there directly. */
async function repairAlias(tx: Db, tenantId: number, identity: string): Promise<void> {
  await lockIdentities(tx, tenantId);
  const { rows } = await tx.query<{ person: string; next: string | null }>(sql`
    select alias.person, next.person as next
    from conversation_aliases as alias
    left join conversation_aliases as next
      on next.tenant_id = ${tenantId} and next.identity = alias.person
    where alias.tenant_id = ${tenantId} and alias.identity = ${identity}`);
  const [alias] = rows;
  if (!alias) return;
  if (isPhone(identity) && isPhone(alias.person)) {
    // Earlier versions made a changed phone an alias of the one that was given up.
    await mergeConversations(tx, tenantId, { earlier: alias.person, later: identity });
    return;
  }
  // Two transactions can make two identities aliases of each other.
  const kept = alias.next === identity ? alias.person : (alias.next ?? alias.person);
  const known = await lockConversations(tx, tenantId, [identity, kept]);
  await addAliases(tx, tenantId, { person: kept, other: identity }, [identity]);
  const way = { from: identity, to: kept };
  const movedIds = await moveConversation(tx, tenantId, way, known.get(identity));
  // An undo of the merge moves them back too.
  await tx.query(sql`
    update identity_merges set moved_ids = moved_ids || ${movedIds}::bigint[]
    where tenant_id = ${tenantId} and id = (
      select max(id) from identity_merges
      where tenant_id = ${tenantId} and merged_person = ${identity} and person = ${kept} and undone_at is null)`);
}
