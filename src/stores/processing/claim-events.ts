import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { isHeld } from '../../platform/jobs/is-held.ts';
import { queueHeads } from '../../platform/jobs/queue-heads.ts';
import type { Queue } from '../../platform/jobs/renew-leases.ts';
import type { PlatformName } from '../platforms/platforms.ts';
import type { Topic, TopicAction } from '../schema.ts';
import type { EventGrant } from './rate-limits.ts';

/** An event that this process has claimed, with the action of its topic. */
export type ClaimedEvent = {
  tenant_id: number;
  store_id: number;
  id: number;
  topic: Topic | null;
  headers: Record<string, string>;
  body: Buffer;
  received_at: Date;
  /** The number of attempts so far, including this one. */
  attempts: number;
  /** The contact that an earlier attempt wrote. */
  contact_id: number | null;
  message_id: number | null;
  replay_of: number | null;
  /** It replays an event that has sent nothing, and sends nothing that another event has sent since. */
  only_unsent: boolean | null;
  platform: PlatformName;
  country: string | null;
  /** Our id of the number that sends the store's messages; null for the rule of every send. */
  number_id: number | null;
  /** null if the tenant has not set one. */
  action: TopicAction | null;
};

export const storeEventQueue: Queue<ClaimedEvent> = {
  table: 'store_events',
  key: ['store_id', 'id'],
};

/** A condition on `stores`. */
const isProcessed = sql`stores.paused_since is null`;

/** Finds the tenants with events that are due now. */
export async function findStoreQueues(db: Db): Promise<number[]> {
  const { rows } = await db.query<{ tenant_id: number }>(
    statement(
      'find-store-queues',
      sql`
        with recursive ${queueHeads('store_events', sql`due_at is not null`, ['tenant_id', 'store_id'])}
        select distinct heads.tenant_id
        from heads
        where heads.due_at <= now() and (
          select ${isProcessed} from stores
          where stores.tenant_id = heads.tenant_id and stores.id = heads.store_id)`,
    ),
  );
  return rows.map((row) => row.tenant_id);
}

/**
 * Claims due events of stores that are not paused, up to the limit of each tenant, the longest due first. Reads only the
 * head of the queue of each store, so those of a paused one cost nothing. If this process dies, they are due again
 * when the lease expires. A claim need not survive a crash of the database, so its commit does not wait for the disk.
 */
export async function claimStoreEvents(
  db: Db,
  grants: EventGrant[],
  { leaseMs }: { leaseMs: number },
): Promise<ClaimedEvent[]> {
  const { rows } = await db.query<ClaimedEvent>(
    statement(
      'claim-store-events',
      sql`
        with unflushed as materialized (
          select set_config('synchronous_commit', 'off', true)
        ), due as (
          select next.*
          from unflushed
          cross join ${rowsOf('granted', grants, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            max_events: ['int', ({ limit }) => limit],
          })}
          cross join lateral (
            select first.*
            from stores
            cross join lateral (
              select event.tenant_id, event.store_id, event.id, event.due_at
              from store_events as event
              where event.tenant_id = stores.tenant_id and event.store_id = stores.id
                and event.due_at <= now()
              order by event.due_at
              limit granted.max_events
              for no key update skip locked
            ) as first
            where stores.tenant_id = granted.tenant_id and ${isProcessed}
              and not ${isHeld(sql`granted.tenant_id`)}
            order by first.due_at
            limit granted.max_events
          ) as next
        ), claimed as (
          update store_events
          set due_at = now() + ${leaseMs}::float8 * interval '1 ms', attempts = attempts + 1
          from due
          where store_events.tenant_id = due.tenant_id and store_events.store_id = due.store_id
            and store_events.id = due.id
          returning store_events.*
        )
        select claimed.tenant_id, claimed.store_id, claimed.id, claimed.topic, claimed.headers,
               claimed.body, claimed.received_at, claimed.attempts, claimed.contact_id,
               claimed.message_id, claimed.replay_of, claimed.only_unsent,
               stores.platform, stores.country, stores.number_id, store_topics.action
        from claimed
        join stores on stores.tenant_id = claimed.tenant_id and stores.id = claimed.store_id
        left join store_topics on store_topics.tenant_id = claimed.tenant_id
          and store_topics.store_id = claimed.store_id and store_topics.topic = claimed.topic
        order by claimed.id`,
    ),
  );
  return rows;
}
