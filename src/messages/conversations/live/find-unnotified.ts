import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { createBatch } from '../../../platform/database/batching.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { ConversationChange } from './conversation-changes.ts';

/** Longer than a statement that stores messages takes. Others, such as imports, are not waited for longer. */
const maxWaitMs = 10_000;
const lookEveryMs = 200;

/**
 * Finds the latest messages of a tenant whose first stream has just begun, once every statement has ended that began
 * before. These notify nobody of the messages that they store, and a browser may have read its lists before they end.
 *
 * @returns a function of the tenant and the transaction since which its changes are notified
 */
export function createUnnotifiedFinder(db: Db) {
  // After a restart, the streams of many tenants begin at once.
  const hasNoneBefore = createBatch<string, boolean>({
    run: (transactions) => haveNoneBefore(db, transactions),
    maxSize: Number.POSITIVE_INFINITY,
    restMs: lookEveryMs,
  });

  return async (tenantId: number, watch: string): Promise<ConversationChange[]> => {
    const until = performance.now() + maxWaitMs;
    while (!(await hasNoneBefore(watch)) && performance.now() < until) await sleep(lookEveryMs);
    const { rows } = await db.query<{ person: string; id: number }>(sql`
      select person, id from (
        select person, id, created_at from messages
        where tenant_id = ${tenantId} order by id desc limit 10
      ) as newest
      where created_at > now() - interval '15 seconds'`);
    return rows.map(({ person, id }) => ({ phone: person, messageId: id }));
  };
}

/** Long transactions, such as those of imports and exports, store no messages. Neither do those of other programs. */
async function haveNoneBefore(db: Db, transactions: string[]): Promise<boolean[]> {
  const { rows } = await db.query<{ ended: boolean }>(
    sql`
      select not exists (
        select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and backend_type = 'client backend' and application_name = 'parley'
          and xact_start > now() - interval '1 minute'
          and age(coalesce(backend_xid, backend_xmin)) > age(transaction::xid)) as ended
      from unnest(${transactions}::xid8[]) with ordinality as watches (transaction, place)
      order by place`,
  );
  return rows.map(({ ended }) => ended);
}
