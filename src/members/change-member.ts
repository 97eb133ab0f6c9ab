import type { Database } from '../platform/database/database.ts';
import { deleteInvitationsOf, deleteMember, lockMembers, type Role, setRole } from './queries.ts';

/**
 * Changes the role of a member, or removes one (`role` null).
 *
 * @param by the owner who wants it; absent: the operator
 * @returns `missing`, `last-owner` when nobody could manage the tenant any more, or `no-owner` when
 *   who wants it is none by now
 */
export async function changeMember(
  db: Database,
  tenantId: number,
  userId: string,
  role: Role | null,
  by?: string,
): Promise<'done' | 'missing' | 'last-owner' | 'no-owner'> {
  return db.transaction(async (tx) => {
    // All of them, so that of two owners who demote each other at once one stays.
    const members = await lockMembers(tx, tenantId);
    const owners = members.filter((each) => each.role === 'owner').map((each) => each.user_id);
    if (by !== undefined && !owners.includes(by)) return 'no-owner';
    if (!members.some((each) => each.user_id === userId)) return 'missing';
    const isLastOwner = owners.length === 1 && owners[0] === userId;
    if (isLastOwner && role !== 'owner') return 'last-owner';
    if (role === null) await deleteMember(tx, tenantId, userId);
    else await setRole(tx, tenantId, userId, role);
    // A link that the person still has would give back what is taken away.
    if (role !== 'owner') await deleteInvitationsOf(tx, tenantId, userId);
    return 'done';
  });
}
