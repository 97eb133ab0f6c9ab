import sql from 'sql-template-tag';
import { publisherLock } from '../../platform/database/advisory-locks.ts';
import type { Db } from '../../platform/database/database.ts';
import { firstOfEach } from '../../platform/database/first-of-each.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import type { AnyEventType } from '../../webhooks/schema.ts';

/** An event as a transaction has recorded it: with its data, or with the message whose state it reports. */
export type OutboxRow = {
  tenant_id: number;
  id: number;
  created_at: Date;
  event: AnyEventType;
  message_id: number | null;
  /** When the message reached the state. */
  at: Date | null;
  data: string | null;
};

/**
 * Takes the lock of the publisher until the end of the transaction, whose statements then use indexes, however small
 * a table is.
 *
 * @returns whether the lock was free
 */
export async function lockAsPublisher(tx: Db): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean }>(sql`
    select pg_try_advisory_xact_lock(${publisherLock}) as locked,
           set_config('enable_seqscan', 'off', true)`);
  return rows[0]!.locked;
}

/** Whether there are events to publish, or gathered messages to deliver. */
export async function hasOutbox(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ has_any: boolean }>(sql`
    select exists (select from event_outbox)
      or exists (select from gathered_messages where due_at <= now()) as has_any`);
  return rows[0]!.has_any;
}

/**
 * Takes the oldest events of each tenant out of the outbox, beginning after a tenant, so that one tenant with many
 * does not delay the others.
 *
 * @returns the events in the order in which they were recorded
 */
export async function takeOutbox(
  tx: Db,
  { afterTenant, limit, limitOfTenant }: OutboxPart,
): Promise<OutboxRow[]> {
  const { rows } = await tx.query<OutboxRow>(
    statement(
      'take-outbox',
      sql`
        with recursive ${firstOfEach('event_outbox', { condition: sql`tenant_id > ${afterTenant}` })},
        oldest as materialized (
          select next.tenant_id, next.id
          from firsts
          cross join lateral (
            select tenant_id, id from event_outbox where tenant_id = firsts.tenant_id
            -- Few tenants share the whole limit.
            order by id
            limit greatest(${limitOfTenant}::int,
                           ${limit}::int / (select count(*) from (select from firsts limit 4) as few))
          ) as next
          limit ${limit}
        )
        delete from event_outbox using oldest
        where event_outbox.tenant_id = oldest.tenant_id and event_outbox.id = oldest.id
        returning event_outbox.tenant_id, event_outbox.id, event_outbox.created_at,
                  event_outbox.event, event_outbox.message_id, event_outbox.at, event_outbox.data`,
    ),
  );
  return rows.sort((a, b) => a.id - b.id);
}

/** The part of the outbox that one transaction takes. */
export type OutboxPart = { afterTenant: number; limit: number; limitOfTenant: number };

/**
 * Counts new events of conversations.
 *
 * @returns the number of the newest event of each conversation, in the order of `counts`
 */
export async function countEvents(
  tx: Db,
  counts: { tenantId: number; person: string; count: number }[],
): Promise<number[]> {
  const { rows } = await tx.query<{ place: number; last: number }>(
    statement(
      'count-events',
      sql`
        with new as (
          select * from ${rowsOf('new', counts, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            person: ['text', ({ person }) => person],
            count: ['int', ({ count }) => count],
            place: ['int', (_, index) => index],
          })}
        ), counted as (
          insert into conversation_sequences as known (tenant_id, person, last)
          select tenant_id, person, count from new order by tenant_id, person
          on conflict (tenant_id, person) do update set last = known.last + excluded.last
          returning tenant_id, person, last
        )
        select new.place, counted.last
        from new join counted on counted.tenant_id = new.tenant_id and counted.person = new.person`,
    ),
  );
  return rows.sort((a, b) => a.place - b.place).map(({ last }) => last);
}
