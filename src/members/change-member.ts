import { recordAudit, recordChange } from '../audit/record-audit.ts';
import { unassignConversations } from '../messages/conversations/unassign-conversations.ts';
import type { Database, Db } from '../platform/database/database.ts';
import { retryDeadlock } from '../platform/database/failures/retry-deadlock.ts';
import {
  deleteInvitationsOf,
  deleteMember,
  findEmail,
  lockMembers,
  type Role,
  setRole,
} from './queries.ts';

type Change = {
  userId: string;
  /** Null removes the member. */
  role: Role | null;
  /** The owner who makes the change; undefined for the operator. */
  by: string | undefined;
};

type Refusal = 'missing' | 'last-owner' | 'no-owner';

/**
 * Changes the role of a member, or removes one (`role` null) and takes the conversations off that member.
 *
 * @param by the owner who makes the change; undefined for the operator
 * @returns `last-owner` if the tenant would have no owner any more, `no-owner` if `by` is no longer
 *   an owner
 */
export async function changeMember(
  db: Database,
  tenantId: number,
  userId: string,
  role: Role | null,
  by?: string,
): Promise<'done' | Refusal> {
  const change = { userId, role, by };
  if (role === null) {
    const refusal = await db.transaction((tx) => findRefusal(tx, tenantId, change));
    if (refusal) return refusal;
    // The foreign key would change them all in one statement, for which messages of all tenants would wait.
    await unassignConversations(db, tenantId, userId);
  }
  const write = async (tx: Db) => {
    const refusal = await findRefusal(tx, tenantId, change);
    if (refusal) return refusal;
    const subject = { id: userId, name: (await findEmail(tx, tenantId, userId)) ?? null };
    if (role === null) {
      await deleteMember(tx, tenantId, userId);
      await recordAudit(tx, tenantId, { action: 'member.removed', subject });
    } else {
      const before = await setRole(tx, tenantId, userId, role);
      await recordChange(tx, tenantId, {
        action: 'member.changed',
        subject,
        before: { role: before },
        after: { role },
        shown: ['role'],
      });
    }
    // An unused link would restore the old role.
    if (role !== 'owner') await deleteInvitationsOf(tx, tenantId, userId);
    return 'done';
  };
  return retryDeadlock(() => db.transaction(write));
}

/** Locks all members, so that two owners who demote each other at the same time cannot both succeed. */
async function findRefusal(
  tx: Db,
  tenantId: number,
  { userId, role, by }: Change,
): Promise<Refusal | undefined> {
  const members = await lockMembers(tx, tenantId);
  const owners = members.filter((each) => each.role === 'owner').map((each) => each.user_id);
  if (by !== undefined && !owners.includes(by)) return 'no-owner';
  if (!members.some((each) => each.user_id === userId)) return 'missing';
  const isLastOwner = owners.length === 1 && owners[0] === userId;
  return isLastOwner && role !== 'owner' ? 'last-owner' : undefined;
}
