import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { type StoreRow, storeColumns } from '../queries.ts';
import type { Topic } from '../schema.ts';

/** The stores behind many addresses at once, in order; undefined for those that are nobody's. */
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

/** A verified post to be kept as it came. */
export type NewStoreEvent = {
  tenantId: number;
  storeId: number;
  topic: Topic | null;
  /** The hash of what names the post among those of its store. */
  dedupKey: Buffer;
  headers: Record<string, string>;
  body: Buffer;
  /** One of ours: no sign of life of the store. */
  isSample: boolean;
};

/**
 * Writes down many posts in one statement and counts them. A post that is there already is counted
 * as a repeat and changes nothing. Rows are written in the order of their key, so that two such
 * statements never wait for each other.
 */
export async function writeDownEvents(db: Db, events: NewStoreEvent[]): Promise<void> {
  // One value of bytes goes over the wire as it is; a list of them as text, twice as long.
  const starts: number[] = [];
  let length = 0;
  for (const { body } of events) {
    starts.push(length + 1);
    length += body.length;
  }
  await db.query(
    statement(
      'write-down-store-events',
      sql`
        with arrived as (
          select tenant_id, store_id, topic, dedup_key, headers, is_sample,
                 substring(${Buffer.concat(events.map((each) => each.body))}::bytea
                           from start for bytes) as body
          from ${rowsOf('arrived', events, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            store_id: ['bigint', ({ storeId }) => storeId],
            topic: ['text', ({ topic }) => topic],
            dedup_key: ['bytea', ({ dedupKey }) => dedupKey],
            headers: ['jsonb', ({ headers }) => JSON.stringify(headers)],
            start: ['int', (_, index) => starts[index]],
            bytes: ['int', ({ body }) => body.length],
            is_sample: ['boolean', ({ isSample }) => isSample],
          })}
        ), written as (
          insert into store_events (tenant_id, store_id, dedup_key, topic, headers, body,
                                    received_at, due_at)
          select tenant_id, store_id, dedup_key, topic, headers, body, now(), now()
          from arrived
          order by tenant_id, store_id, dedup_key
          on conflict (tenant_id, store_id, dedup_key) where dedup_key is not null do nothing
          returning tenant_id, store_id
        )
        insert into store_hours as kept (tenant_id, store_id, hour, verified, repeated,
                                         last_seen_at)
        select tenant_id, store_id, date_trunc('hour', now()), count(*),
               count(*) - (select count(*) from written
                           where written.tenant_id = arrived.tenant_id
                             and written.store_id = arrived.store_id),
               max(now()) filter (where not is_sample)
        from arrived
        group by tenant_id, store_id order by tenant_id, store_id
        on conflict (tenant_id, store_id, hour) do update set
          verified = kept.verified + excluded.verified,
          repeated = kept.repeated + excluded.repeated,
          last_seen_at = greatest(kept.last_seen_at, excluded.last_seen_at)`,
    ),
  );
}

/**
 * Wakes the workers for what was written down. A notification inside the transaction that writes
 * would hold a lock of the whole database until its commit is on the disk, and so make all such
 * commits, those of sends among them, wait for each other.
 */
export async function announceEvents(db: Db, tenantIds: number[]): Promise<void> {
  await db.query(
    statement(
      'announce-store-events',
      sql`
        select pg_notify('store_events', tenant_id::text)
        from unnest(${tenantIds}::bigint[]) as written (tenant_id)`,
    ),
  );
}
