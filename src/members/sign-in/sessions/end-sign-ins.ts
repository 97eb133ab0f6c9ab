import sql from 'sql-template-tag';
import type { Db } from '../../../platform/database/database.ts';

/** Ends all sessions of an account, and its trusted devices. */
export async function endSignIns(db: Db, userId: string): Promise<void> {
  await forgetDevices(db, userId);
  await db.query(sql`delete from auth."session" where "userId" = ${userId}`);
}

/** Makes every device need the second factor again; a pending sign-in must start over. */
export async function forgetDevices(db: Db, userId: string): Promise<void> {
  await db.query(sql`delete from auth."verification" where "value" = ${userId}`);
}
