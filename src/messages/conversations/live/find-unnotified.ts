import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { Db } from '../../../platform/database/database.ts';
import type { ConversationChange } from './conversation-changes.ts';

/** Longer than a statement that stores messages takes. Others, such as imports, are not waited for longer. */
const maxWaitMs = 10_000;
const lookEveryMs = 200;

/**
 * Finds the latest messages of a tenant whose first stream has just begun, once every statement has ended that began
 * before. These notify nobody of the messages that they store, and a browser may have read its lists before they end.
 *
 * @param watch the transaction since which changes of the tenant are notified
 */
export async function findUnnotified(
  db: Db,
  tenantId: number,
  watch: string,
): Promise<ConversationChange[]> {
  const until = performance.now() + maxWaitMs;
  while (!(await hasNoneBefore(db, watch)) && performance.now() < until) await sleep(lookEveryMs);
  const { rows } = await db.query<ConversationChange>(sql`
    select person as phone, id as "messageId" from (
      select person, id, created_at from messages
      where tenant_id = ${tenantId} order by id desc limit 10
    ) as newest
    where created_at > now() - interval '15 seconds'`);
  return rows;
}

async function hasNoneBefore(db: Db, transaction: string): Promise<boolean> {
  const { rows } = await db.query<{ ended: boolean }>(
    sql`
      select not exists (
        select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and age(coalesce(backend_xid, backend_xmin)) > age(${transaction}::xid8::xid)) as ended`,
  );
  return rows[0]!.ended;
}
