import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { longValues } from '../../platform/database/long-values.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { type StoreRow, storeColumns } from '../queries.ts';
import type { Topic } from '../schema.ts';

/** Finds the stores of many addresses, in the same order; undefined for unknown addresses. */
export async function findStoresByWebhook(
  db: Db,
  webhookIds: string[],
): Promise<(StoreRow | undefined)[]> {
  const { rows } = await db.query<StoreRow & { id: number | null }>(
    statement(
      'find-stores-by-webhook',
      sql`
        select ${storeColumns}
        from unnest(${webhookIds}::text[]) with ordinality as asked (webhook_id, position)
        left join stores on stores.webhook_id = asked.webhook_id
        order by asked.position`,
    ),
  );
  return rows.map((row) => (row.id === null ? undefined : row));
}

/** A verified post, to be stored unchanged. */
export type NewStoreEvent = {
  tenantId: number;
  storeId: number;
  topic: Topic | null;
  /** The hash of the name that identifies the post within its store. */
  dedupKey: Buffer;
  headers: Record<string, string>;
  body: Buffer;
  /** It was not sent by the store, so it is no sign that the store is active. */
  isSample: boolean;
};

/**
 * Stores many posts in one statement and counts them. A post that is already stored counts as a repeat and changes
 * nothing. Rows are inserted in the order of their key, so that two statements never deadlock.
 */
export async function insertEvents(db: Db, events: NewStoreEvent[]): Promise<void> {
  const bodies = longValues(events.map(({ body }) => body));
  await db.query(
    statement(
      'insert-store-events',
      sql`
        with arrived as (
          select tenant_id, store_id, topic, dedup_key, headers, is_sample,
                 ${bodies.bytes} as body
          from ${rowsOf('arrived', events, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            store_id: ['bigint', ({ storeId }) => storeId],
            topic: ['text', ({ topic }) => topic],
            dedup_key: ['bytea', ({ dedupKey }) => dedupKey],
            headers: ['jsonb', ({ headers }) => JSON.stringify(headers)],
            is_sample: ['boolean', ({ isSample }) => isSample],
            ...bodies.columns,
          })}
        ), inserted as (
          insert into store_events (tenant_id, store_id, dedup_key, topic, headers, body,
                                    received_at, due_at)
          select tenant_id, store_id, dedup_key, topic, headers, body, now(), now()
          from arrived
          order by tenant_id, store_id, dedup_key
          on conflict (tenant_id, store_id, dedup_key) where dedup_key is not null do nothing
          returning tenant_id, store_id
        )
        insert into store_hours as stored (tenant_id, store_id, hour, verified, repeated,
                                         last_seen_at)
        select tenant_id, store_id, date_trunc('hour', now()), count(*),
               count(*) - (select count(*) from inserted
                           where inserted.tenant_id = arrived.tenant_id
                             and inserted.store_id = arrived.store_id),
               max(now()) filter (where not is_sample)
        from arrived
        group by tenant_id, store_id order by tenant_id, store_id
        on conflict (tenant_id, store_id, hour) do update set
          verified = stored.verified + excluded.verified,
          repeated = stored.repeated + excluded.repeated,
          last_seen_at = greatest(stored.last_seen_at, excluded.last_seen_at)`,
    ),
  );
}

/**
 * Notifies the workers of stored posts, outside the transaction that stores them: a notification inside it would hold
 * a lock of the whole database until the commit is on disk, which serializes all commits with notifications, including
 * those of sends.
 */
export async function announceEvents(db: Db, tenantIds: number[]): Promise<void> {
  await db.query(
    statement(
      'announce-store-events',
      sql`
        select pg_notify('store_events', tenant_id::text)
        from unnest(${tenantIds}::bigint[]) as notified (tenant_id)`,
    ),
  );
}
