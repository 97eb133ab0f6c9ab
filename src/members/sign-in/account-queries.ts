import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { moment } from '../../platform/database/moment.ts';

export async function hasAccount(db: Db, email: string): Promise<boolean> {
  const { rows } = await db.query(sql`select from auth."user" where "email" = ${email}`);
  return rows.length > 0;
}

/**
 * Makes an account without a password, and keeps its email from all others until the transaction
 * ends. Undefined when the email has an account.
 */
export async function insertUser(
  tx: Db,
  { id, email, name }: { id: string; email: string; name: string },
): Promise<{ id: string } | undefined> {
  const { rows } = await tx.query<{ id: string }>(sql`
    insert into auth."user" ("id", "email", "name", "emailVerified")
    values (${id}, ${email}, ${name}, true)
    on conflict ("email") do nothing returning "id" as id`);
  return rows[0];
}

/** The account of an email, which nobody else changes until the transaction ends. */
export async function lockUserByEmail(tx: Db, email: string): Promise<{ id: string } | undefined> {
  const { rows } = await tx.query<{ id: string }>(sql`
    select "id" as id from auth."user" where "email" = ${email} for no key update`);
  return rows[0];
}

/** Gives an account a password, also one that has none; `tx` has made or locked the account. */
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

/** Takes the second factor off an account and ends all its sessions. */
export async function clearSignIns(db: Db, userId: string): Promise<void> {
  await forgetDevices(db, userId);
  await db.query(sql`delete from auth."twoFactor" where "userId" = ${userId}`);
  await db.query(sql`update auth."user" set "twoFactorEnabled" = false where "id" = ${userId}`);
  await db.query(sql`delete from auth."session" where "userId" = ${userId}`);
}

/** Has every device asked for the second factor again; a sign-in that waits for it begins anew. */
export async function forgetDevices(db: Db, userId: string): Promise<void> {
  await db.query(sql`delete from auth."verification" where "value" = ${userId}`);
}

/** Counts a try under each key and tells how many there were in the last quarter of an hour. */
export async function countPasswordAttempts(
  db: Db,
  keys: Buffer[],
  clockOffsetMs: number,
): Promise<{ key: Buffer; attempts: number; reset_seconds: number }[]> {
  // One that begins further ahead is from before the clock was set back.
  const isSameSpan = sql`
    (kept.since > excluded.since - interval '15 minutes'
      and kept.since < excluded.since + interval '15 minutes')`;
  const { rows } = await db.query<{ key: Buffer; attempts: number; reset_seconds: number }>(sql`
    with moment as (
      select ${moment(clockOffsetMs)} as at
    )
    insert into password_attempts as kept (key, attempts, since)
    select key, 1, (select at from moment) from unnest(${keys}::bytea[]) as asked (key)
    order by key
    on conflict (key) do update set
      attempts = case when ${isSameSpan} then kept.attempts + 1 else 1 end,
      since = case when ${isSameSpan} then kept.since else excluded.since end
    returning key, attempts,
      ceil(extract(epoch from since + interval '15 minutes' - (select at from moment)))::int
        as reset_seconds`);
  return rows;
}

export async function forgetPasswordAttempts(db: Db, keys: Buffer[]): Promise<void> {
  await db.query(sql`delete from password_attempts where key = any(${keys}::bytea[])`);
}

/** Drops what is of no use any more: ended sessions, old counts and old invitations. */
export async function pruneSignIns(db: Db): Promise<void> {
  await db.query(sql`delete from auth."session" where "expiresAt" < now()`);
  await db.query(sql`delete from auth."verification" where "expiresAt" < now()`);
  await db.query(sql`delete from password_attempts where since < now() - interval '15 minutes'`);
  await db.query(sql`
    delete from invitations
    where expires_at < now() - interval '30 days' or used_at < now() - interval '30 days'`);
}
