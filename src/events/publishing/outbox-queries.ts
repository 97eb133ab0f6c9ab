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

/** The part of the outbox that one transaction takes. */
export type OutboxPart = {
  afterTenant: number;
  limit: number;
  limitOfTenant: number;
  /** The event that exceeds it is the last. The contents of messages count, which the publisher reads. */
  maxBytes: number;
};

/**
 * Takes the oldest events of each tenant out of the outbox, beginning after a tenant, so that one tenant with many
 * or with long messages does not delay the others.
 *
 * @returns the events in the order in which they were recorded, and whether others were left for their length
 */
export async function takeOutbox(
  tx: Db,
  { afterTenant, limit, limitOfTenant, maxBytes }: OutboxPart,
): Promise<{ rows: OutboxRow[]; isCut: boolean }> {
  // Few tenants share a whole limit.
  const fewTenants = sql`(select count(*) from (select from firsts limit 4) as few)`;
  const { rows } = await tx.query<OutboxRow & { found: number }>(
    statement(
      'take-outbox',
      sql`
        with recursive ${firstOfEach('event_outbox', { condition: sql`tenant_id > ${afterTenant}` })},
        oldest as materialized (
          select next.*
          from firsts
          cross join lateral (
            select tenant_id, id, message_id, octet_length(data) as bytes
            from event_outbox where tenant_id = firsts.tenant_id
            order by id
            limit greatest(${limitOfTenant}::int, ${limit}::int / ${fewTenants})
          ) as next
          limit ${limit}
        ), measured as materialized (
          select tenant_id, id, coalesce(bytes, (
            select octet_length(content::text) from messages
            where messages.tenant_id = oldest.tenant_id and messages.id = oldest.message_id
          ), 0) as bytes
          from oldest
        ), fair as (
          select *, sum(bytes) over (partition by tenant_id order by id) - bytes as own_bytes_before
          from measured
        ), fitting as materialized (
          select tenant_id, id, sum(bytes) over (order by tenant_id, id) - bytes as bytes_before
          from fair where own_bytes_before < ${maxBytes}::int / ${fewTenants}
        )
        delete from event_outbox using fitting
        where event_outbox.tenant_id = fitting.tenant_id and event_outbox.id = fitting.id
          and bytes_before < ${maxBytes}::int
        returning event_outbox.tenant_id, event_outbox.id, event_outbox.created_at,
                  event_outbox.event, event_outbox.message_id, event_outbox.at, event_outbox.data,
                  (select count(*) from measured) as found`,
    ),
  );
  const isCut = rows.length > 0 && rows.length < rows[0]!.found;
  return { rows: rows.sort((a, b) => a.id - b.id), isCut };
}

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
