import type { Database } from '../platform/database/database.ts';
import { deleteInvitationsOf, deleteMember, lockMembers, type Role, setRole } from './queries.ts';

/**
 * Changes the role of a member, or removes one (`role` null).
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
): Promise<'done' | 'missing' | 'last-owner' | 'no-owner'> {
  return db.transaction(async (tx) => {
    // Locks all members, so that two owners who demote each other at the same time cannot both
    // succeed.
    const members = await lockMembers(tx, tenantId);
    const owners = members.filter((each) => each.role === 'owner').map((each) => each.user_id);
    if (by !== undefined && !owners.includes(by)) return 'no-owner';
    if (!members.some((each) => each.user_id === userId)) return 'missing';
    const isLastOwner = owners.length === 1 && owners[0] === userId;
    if (isLastOwner && role !== 'owner') return 'last-owner';
    if (role === null) await deleteMember(tx, tenantId, userId);
    else await setRole(tx, tenantId, userId, role);
    // An unused link would restore the old role.
    if (role !== 'owner') await deleteInvitationsOf(tx, tenantId, userId);
    return 'done';
  });
}
