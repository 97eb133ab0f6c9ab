import sql, { type Sql } from 'sql-template-tag';
import type { Database, Db } from '../../platform/database/database.ts';
import { deleteUnusedAccounts } from './delete-unused-account.ts';
import { endSignIns } from './sessions/end-sign-ins.ts';

export type AccountRow = {
  id: string;
  /** The name by which better-auth finds the account. */
  login: string;
  /** The hash; null if it has none yet. */
  password: string | null;
  two_factor: boolean;
};

/** Lists the accounts with an email, oldest first. They are independent of each other. */
export async function listAccounts(
  db: Db,
  email: string,
  lock: Sql = sql``,
): Promise<AccountRow[]> {
  const { rows } = await db.query<AccountRow>(sql`
    select u."id" as id, u."login" as login, a."password" as password,
           coalesce(u."twoFactorEnabled", false) as two_factor
    from auth."user" u
    left join auth."account" a on a."userId" = u."id" and a."providerId" = 'credential'
    where u."email" = ${email} order by u."createdAt", u."id" ${lock}`);
  return rows;
}

/** Lists the accounts as `listAccounts` does, and keeps them from being deleted until the transaction ends. */
export function lockAccounts(tx: Db, email: string): Promise<AccountRow[]> {
  return listAccounts(tx, email, sql`for update of u`);
}

/**
 * Locks an email, so that no other invitation for it can be accepted until the end of the
 * transaction.
 */
export async function lockEmail(tx: Db, email: string): Promise<void> {
  await tx.query(sql`
    select pg_advisory_xact_lock(hashtextextended(${`accounts of ${email}`}, 0))`);
}

/** Creates an account without a password. */
export async function insertUser(
  tx: Db,
  { id, email, name }: { id: string; email: string; name: string },
): Promise<void> {
  await tx.query(sql`
    insert into auth."user" ("id", "email", "name", "emailVerified")
    values (${id}, ${email}, ${name}, true)`);
}

/** Sets or replaces the password of an account; `tx` has locked its email. */
export async function setPassword(
  tx: Db,
  userId: string,
  { id, hash }: { id: string; hash: string },
): Promise<void> {
  await tx.query(sql`
    with changed as (
      update auth."account" set "password" = ${hash}, "updatedAt" = now()
      where "userId" = ${userId} and "providerId" = 'credential'
      returning "id"
    )
    insert into auth."account" ("id", "accountId", "providerId", "userId", "password", "updatedAt")
    select ${id}, ${userId}, 'credential', ${userId}, ${hash}, now()
    where not exists (select from changed)`);
}

/** Removes the second factor of an account and ends all its sessions. */
export async function clearSignIns(db: Db, userId: string): Promise<void> {
  await db.query(sql`delete from auth."twoFactor" where "userId" = ${userId}`);
  await db.query(sql`update auth."user" set "twoFactorEnabled" = false where "id" = ${userId}`);
  await endSignIns(db, userId);
}

/**
 * Finishes a switch of the second factor that a crash has interrupted. better-auth commits the account first and the
 * factor second, and refuses every further step if they disagree.
 */
export async function settleSecondFactor(db: Db, userId: string): Promise<void> {
  await db.query(sql`
    with off as (
      delete from auth."twoFactor" factor using auth."user" u
      where u."id" = ${userId} and factor."userId" = u."id"
        and u."twoFactorEnabled" is not true and factor."verified" is not false
    )
    update auth."twoFactor" factor set "verified" = true from auth."user" u
    where u."id" = ${userId} and factor."userId" = u."id"
      and u."twoFactorEnabled" and factor."verified" is not true`);
}

/** Replaces the hash of an account's password, unless the password has changed in the meantime. */
export async function replaceHash(db: Db, userId: string, from: string, to: string): Promise<void> {
  await db.query(sql`
    update auth."account" set "password" = ${to}
    where "userId" = ${userId} and "providerId" = 'credential' and "password" = ${from}`);
}

/** Deletes accounts without a tenant, expired sessions, old attempt counts and old invitations. */
export async function pruneSignIns(db: Database): Promise<void> {
  await deleteUnusedAccounts(db);
  await db.query(sql`delete from auth."session" where "expiresAt" < now()`);
  await db.query(sql`delete from auth."verification" where "expiresAt" < now()`);
  await db.query(sql`delete from password_attempts where since < now() - interval '15 minutes'`);
  await db.query(sql`
    delete from invitations
    where expires_at < now() - interval '30 days' or used_at < now() - interval '30 days'`);
}
