import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { queueHeads } from '../../platform/jobs/queue-heads.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import type { StoreEventState } from '../activity/event-queries.ts';
import type { PlatformName } from '../platforms/platforms.ts';
import type { ResourceKind } from '../platforms/reading.ts';
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
  message_id: number | null;
  replay_of: number | null;
  platform: PlatformName;
  country: string | null;
  /** null if the tenant has not set one. */
  action: TopicAction | null;
};

/** Finds the tenants with events that are due now. */
export async function findStoreQueues(db: Db): Promise<number[]> {
  const { rows } = await db.query<{ tenant_id: number }>(
    statement(
      'find-store-queues',
      sql`
        with recursive ${queueHeads('store_events', sql`due_at is not null`)}
        select tenant_id from heads
        where due_at <= now()`,
    ),
  );
  return rows.map((row) => row.tenant_id);
}

/**
 * Claims due events, up to the limit of each tenant, the longest due first. If this process dies, they are due again
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
            select tenant_id, store_id, id from store_events
            where tenant_id = granted.tenant_id and due_at <= now()
            order by due_at
            limit granted.max_events
            for no key update skip locked
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
               claimed.body, claimed.received_at, claimed.attempts, claimed.message_id,
               claimed.replay_of,
               stores.platform, stores.country, store_topics.action
        from claimed
        join stores on stores.tenant_id = claimed.tenant_id and stores.id = claimed.store_id
        left join store_topics on store_topics.tenant_id = claimed.tenant_id
          and store_topics.store_id = claimed.store_id and store_topics.topic = claimed.topic
        order by claimed.id`,
    ),
  );
  return rows;
}

/** Extends the leases of events to `leaseMs` from now. Events that another process has claimed are left alone. */
export async function renewStoreEvents(
  db: Db,
  held: ClaimedEvent[],
  { leaseMs }: { leaseMs: number },
): Promise<void> {
  await db.query(
    statement(
      'renew-store-events',
      sql`
        with held as (
          select * from ${rowsOf('held', held, {
            tenant_id: ['bigint', ({ tenant_id }) => tenant_id],
            store_id: ['bigint', ({ store_id }) => store_id],
            id: ['bigint', ({ id }) => id],
            attempts: ['int', ({ attempts }) => attempts],
          })}
        )
        update store_events
        -- With a condition, PostgreSQL might scan the index of all waiting events.
        set due_at = case when due_at is not null then
          greatest(due_at, now() + ${leaseMs}::float8 * interval '1 ms')
        end
        from held
        where store_events.tenant_id = held.tenant_id and store_events.store_id = held.store_id
          and store_events.id = held.id and store_events.attempts = held.attempts`,
    ),
  );
}

/** The result of one attempt of an event. */
export type Settlement = {
  tenantId: number;
  storeId: number;
  id: number;
  /** The attempt of the claim. If another process has claimed the event since, this result is ignored. */
  attempts: number;
  state: StoreEventState;
  reason: string | null;
  contactId: number | null;
  /** null if there is no further attempt. */
  retryInMs: number | null;
  messagesSent: number;
};

/** Stores the results of many events, and counts the settled ones, in one statement. */
export async function settleStoreEvents(db: Db, settled: Settlement[]): Promise<void> {
  await db.query(
    statement(
      'settle-store-events',
      sql`
        with settled as (
          select *
          from ${rowsOf('settled', settled, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            store_id: ['bigint', ({ storeId }) => storeId],
            id: ['bigint', ({ id }) => id],
            attempts: ['int', ({ attempts }) => attempts],
            state: ['text', ({ state }) => state],
            reason: ['text', ({ reason }) => reason],
            contact_id: ['bigint', ({ contactId }) => contactId],
            retry_in_ms: ['float8', ({ retryInMs }) => retryInMs],
            messages_sent: ['int', ({ messagesSent }) => messagesSent],
          })}
        ), updated as (
          update store_events set
            state = settled.state,
            reason = settled.reason,
            contact_id = coalesce(settled.contact_id, store_events.contact_id),
            processed_at = now(),
            due_at = now() + settled.retry_in_ms * interval '1 ms'
          from settled
          where store_events.tenant_id = settled.tenant_id
            and store_events.store_id = settled.store_id and store_events.id = settled.id
            and store_events.attempts = settled.attempts
          returning store_events.tenant_id, store_events.store_id, settled.state,
                    settled.retry_in_ms, settled.messages_sent
        )
        insert into store_hours as stored (tenant_id, store_id, hour, done, nothing_to_do, skipped,
                                         failed, messages_sent)
        select tenant_id, store_id, date_trunc('hour', now()),
               count(*) filter (where state = 'done'),
               count(*) filter (where state = 'nothing_to_do'),
               count(*) filter (where state = 'skipped'),
               count(*) filter (where state = 'failed' and retry_in_ms is null),
               sum(messages_sent)
        from updated
        group by tenant_id, store_id order by tenant_id, store_id
        on conflict (tenant_id, store_id, hour) do update set
          done = stored.done + excluded.done,
          nothing_to_do = stored.nothing_to_do + excluded.nothing_to_do,
          skipped = stored.skipped + excluded.skipped,
          failed = stored.failed + excluded.failed,
          messages_sent = stored.messages_sent + excluded.messages_sent`,
    ),
  );
}

/** Postpones the next attempt of a claimed event without a result. */
export async function postponeStoreEvent(
  db: Db,
  event: ClaimedEvent,
  { ms }: { ms: number },
): Promise<void> {
  await db.query(sql`
    update store_events
    set due_at = now() + ${ms}::float8 * interval '1 ms'
    where tenant_id = ${event.tenant_id} and store_id = ${event.store_id} and id = ${event.id}
      and attempts = ${event.attempts}`);
}

/** The latest known state of a resource of a store. */
export type ResourceState = {
  kind: ResourceKind | 'buyer';
  id: string;
  changedAt: Date;
  /** The event reports the creation of the resource, which never follows its deletion. */
  created: boolean;
  deleted: boolean;
};

/**
 * Stores the state of a resource unless a newer one is stored, and locks the resource until the transaction ends.
 *
 * A deletion has no time of the store, only that of its arrival, and the store's clock may be ahead of ours. So a
 * deletion counts as newer than every stored state. A later event with a newer time means a restored order.
 *
 * @returns `isNews`: the state was stored; `gone`: it was not, because the resource is deleted
 */
export async function advanceResource(
  tx: Db,
  { tenant_id, store_id }: { tenant_id: number; store_id: number },
  { kind, id, changedAt, created, deleted }: ResourceState,
): Promise<{ isNews: boolean; gone: boolean }> {
  const { rows } = await tx.query<{ is_news: boolean; gone: boolean }>(
    statement(
      'advance-store-resource',
      sql`
        with advanced as (
          insert into store_resources as stored (tenant_id, store_id, kind, resource_id, changed_at,
                                               deleted)
          values (${tenant_id}, ${store_id}, ${kind}, ${id}, ${changedAt.toISOString()},
                  ${deleted})
          on conflict (tenant_id, store_id, kind, resource_id) do update
            set changed_at = greatest(stored.changed_at, excluded.changed_at),
                deleted = excluded.deleted
            where excluded.deleted
              or case when stored.deleted
                   then stored.changed_at < excluded.changed_at and not ${created}
                   else stored.changed_at <= excluded.changed_at end
          returning kind
        )
        select exists (select from advanced) as is_news,
               coalesce((select deleted from store_resources
                         where tenant_id = ${tenant_id} and store_id = ${store_id}
                           and kind = ${kind} and resource_id = ${id}), false) as gone`,
    ),
  );
  const { is_news: isNews, gone } = rows[0]!;
  return { isNews, gone: !isNews && gone };
}

/**
 * Records that the buyer gets a message about a resource, in the transaction that stores the message. The record
 * is a row of `store_resources` of the kind `told`.
 *
 * @param name the resource, and its state unless the message is about its creation
 * @returns false if it was recorded before
 */
export async function recordMessage(
  tx: Db,
  { tenant_id, store_id }: ClaimedEvent,
  { name, at }: { name: string; at: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    statement(
      'record-store-message',
      sql`
        insert into store_resources (tenant_id, store_id, kind, resource_id, changed_at)
        values (${tenant_id}, ${store_id}, 'told', ${name}, ${at.toISOString()})
        on conflict (tenant_id, store_id, kind, resource_id) do nothing`,
    ),
  );
  return rowCount === 1;
}

/**
 * Links a message to its event, in the transaction that stores the message.
 *
 * @returns false if another process has claimed the event since; then the message must not be sent
 */
export async function linkMessage(
  tx: Db,
  event: ClaimedEvent,
  { messageId, contactId }: { messageId: number; contactId: number | null },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    statement(
      'link-store-message',
      sql`
        update store_events
        set message_id = ${messageId}, contact_id = coalesce(${contactId}, contact_id)
        where tenant_id = ${event.tenant_id} and store_id = ${event.store_id}
          and id = ${event.id} and attempts = ${event.attempts}`,
    ),
  );
  return rowCount === 1;
}
