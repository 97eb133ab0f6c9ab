import sql from 'sql-template-tag';
import type { Database, Db } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import { isHeld } from '../../platform/jobs/is-held.ts';
import { addMember, deleteMember, type Role } from '../queries.ts';
import { type AccountRow, listAccounts, lockEmail } from './account-queries.ts';
import { deleteUnusedAccount } from './delete-unused-account.ts';

type Membership = { tenant_id: number; user_id: string; role: Role };

/**
 * Makes one account of those with an email whose password a person has just entered. A move or an import can bring an
 * account whose password is that of another one, and a sign-in could not distinguish them. An account with a second
 * factor keeps it: the tenants of the others are added to it.
 *
 * While one of their tenants is held for a move, nothing changes.
 *
 * @param found accounts with the same password, oldest first
 * @returns the account that is left, or that is signed in to
 * @throws ApiError 401 if two have a second factor
 */
export async function joinAccounts(
  db: Database,
  email: string,
  found: AccountRow[],
): Promise<AccountRow | undefined> {
  return db.transaction(async (tx) => {
    await lockEmail(tx, email);
    const accounts = (await listAccounts(tx, email)).filter((account) =>
      found.some(({ id, password }) => id === account.id && password === account.password),
    );
    const protectedOnes = accounts.filter(({ two_factor }) => two_factor);
    if (protectedOnes.length > 1) throw notDistinguishable();
    const left = protectedOnes[0] ?? accounts[0];
    if (left === undefined) return undefined;
    const others = accounts.flatMap(({ id }) => (id === left.id ? [] : id));
    const memberships = await lockMemberships(tx, others);
    if (await isAnyHeld(tx, memberships)) return left;
    for (const membership of memberships) await moveMembership(tx, membership, left.id);
    for (const id of others) await deleteUnusedAccount(tx, id);
    return left;
  });
}

async function lockMemberships(tx: Db, userIds: string[]): Promise<Membership[]> {
  const { rows } = await tx.query<Membership>(sql`
    select tenant_id, user_id, role from members where user_id = any(${userIds})
    order by tenant_id, user_id for update`);
  return rows;
}

/** Called after the memberships are locked, so that a move either is seen, or waits for this transaction. */
async function isAnyHeld(tx: Db, memberships: Membership[]): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    select from unnest(${memberships.map(({ tenant_id }) => tenant_id)}::bigint[]) as given (id)
    where ${isHeld(sql`given.id`)}`);
  return rowCount !== 0;
}

async function moveMembership(
  tx: Db,
  { tenant_id: tenantId, user_id: from, role }: Membership,
  to: string,
): Promise<void> {
  await addMember(tx, tenantId, to, role);
  await tx.query(sql`
    update conversations set assignee = ${to} where tenant_id = ${tenantId} and assignee = ${from}`);
  await deleteMember(tx, tenantId, from);
}

function notDistinguishable(): ApiError {
  return new ApiError('unauthorized', {
    message: fault(
      'several_accounts',
      'Several accounts with this email have this password, each with its own second step. Ask the operator for a link that sets a new password for one of them.',
    ),
  });
}
