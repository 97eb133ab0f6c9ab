import sql from 'sql-template-tag';
import type { Database, Db } from '../../platform/database/database.ts';

/** Deletes an account with its sessions, if it belongs to no tenant. */
export async function deleteUnusedAccount(tx: Db, id: string): Promise<void> {
  // First the lock: a person who joins a tenant with the account at this moment has joined it before the next
  // statement.
  await tx.query(sql`select from auth."user" where "id" = ${id} for update`);
  await tx.query(sql`
    delete from auth."user" u
    where u."id" = ${id} and not exists (select from members where user_id = u."id")`);
}

/** Deletes accounts of people who were removed from their last tenant, or whose last tenant was deleted or moved. */
export async function deleteUnusedAccounts(db: Database): Promise<void> {
  const { rows } = await db.query<{ id: string }>(sql`
    select "id" as id from auth."user" u
    where not exists (select from members where user_id = u."id") limit 1000`);
  for (const { id } of rows) await db.transaction((tx) => deleteUnusedAccount(tx, id));
}
