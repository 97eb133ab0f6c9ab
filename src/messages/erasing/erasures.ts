import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { firstOfEach } from '../../platform/database/first-of-each.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { isHeld } from '../../platform/jobs/is-held.ts';
import { isRecordGone } from '../record-of-event.ts';

/** A person of whom copies and identities are still to be deleted. */
export type Erasure = {
  tenant_id: number;
  /** The key of the conversation. */
  person: string;
  /** The deleted contact; 0 if there was none. */
  contact_id: number;
};

/** An identity of such a person. `is_former`: a phone that the person gave up, which may have another owner by now. */
export type ErasedIdentity = {
  tenant_id: number;
  person: string;
  identity: string;
  is_former: boolean;
};

/**
 * Builds a CTE that queues people whose messages are gone. This covers deletions by the previous release, which queues
 * nobody, and copies that were made meanwhile.
 *
 * @param people a CTE with their tenant_id and person
 */
export function queuedErasures(people: Sql): Sql {
  return sql`
    queued_erasure as (
      insert into erasures (tenant_id, person)
      select tenant_id, person from ${people} order by tenant_id, person
      on conflict (tenant_id, person, contact_id) do update set due_at = now(), erased_at = now()
    )`;
}

export async function findTenantsToErase(db: Db): Promise<number[]> {
  const { rows } = await db.query<{ tenant_id: number }>(sql`
    with recursive ${firstOfEach('erasures', { condition: sql`due_at <= now()` })}
    select tenant_id from firsts`);
  return rows.map(({ tenant_id }) => tenant_id);
}

/**
 * Locks up to `limit` due erasures of a tenant until the transaction ends, except for those that another process has
 * locked.
 */
export async function lockErasures(tx: Db, tenantId: number, limit: number): Promise<Erasure[]> {
  const { rows } = await tx.query<Erasure>(sql`
    select tenant_id, person, contact_id from erasures
    where tenant_id = ${tenantId} and due_at <= now() and not ${isHeld(sql`erasures.tenant_id`)}
    limit ${limit} for update skip locked`);
  return rows;
}

/** Builds the table of a list of erasures, named `erasure`. */
export function listedErasures(erasures: Erasure[]): Sql {
  return rowsOf('erasure', erasures, {
    tenant_id: ['bigint', (each) => each.tenant_id],
    person: ['text', ({ person }) => person],
    contact_id: ['bigint', (each) => each.contact_id],
    place: ['int', (_, index) => index],
  });
}

const isListed = sql`
  erasures.tenant_id = erasure.tenant_id and erasures.person = erasure.person
  and erasures.contact_id = erasure.contact_id`;

/** Builds the table of a list of identities, named `known`. */
export function listedIdentities(identities: ErasedIdentity[]): Sql {
  return rowsOf('known', identities, {
    tenant_id: ['bigint', (each) => each.tenant_id],
    person: ['text', ({ person }) => person],
    identity: ['text', ({ identity }) => identity],
    is_former: ['boolean', (each) => each.is_former],
  });
}

/** Finds all identities that lead to the conversations, and the phones that the people gave up. */
export async function findIdentities(tx: Db, erasures: Erasure[]): Promise<ErasedIdentity[]> {
  const { rows } = await tx.query<ErasedIdentity>(sql`
    with erased as materialized (
      select distinct tenant_id, person from ${listedErasures(erasures)}
    )
    select tenant_id, person, person as identity, false as is_former from erased
    union all
    select tenant_id, person, identity, false
    from erased join conversation_aliases using (tenant_id, person)
    union all
    select tenant_id, person, phone, true from erased join former_phones using (tenant_id, person)`);
  return rows;
}

/**
 * Postpones erasures of people with an event or a post that is still to be sent or processed: for as long as they have
 * waited so far, but at least a minute and at most an hour, so that copies do not outlive the event by days.
 *
 * @returns the others, which can end
 */
export async function postponeWaiting(
  tx: Db,
  erasures: Erasure[],
  identities: ErasedIdentity[],
): Promise<Erasure[]> {
  const { rows } = await tx.query<{ place: number }>(sql`
    with identity as materialized (select * from ${listedIdentities(identities)}),
    postponed as (
      update erasures
      set due_at = now() + least(greatest(now() - erased_at, interval '1 minute'), interval '1 hour')
      from ${listedErasures(erasures)}
      where ${isListed} and (
        exists (
          select from identity
          join webhooks on webhooks.tenant_id = identity.tenant_id
          join deliveries on deliveries.tenant_id = identity.tenant_id
            and deliveries.webhook_id = webhooks.id and deliveries.person = identity.identity
          where identity.tenant_id = erasures.tenant_id and identity.person = erasures.person
            -- The same as state = 'waiting', for which PostgreSQL might scan the index of all waiting deliveries.
            and deliveries.state not in ('delivered', 'failed')
            and ${isRecordGone(sql`deliveries.tenant_id`, sql`deliveries.event`, sql`deliveries.body`)})
        -- Deliveries are created from these.
        or exists (
          select from event_batches as batch
          where batch.tenant_id = erasures.tenant_id and batch.created_at <= erased_at)
        or exists (
          select from store_events as post
          where post.tenant_id = erasures.tenant_id and post.contact_id = erasures.contact_id
            -- The same as is not null, for which PostgreSQL might scan the index of all waiting posts.
            and (post.due_at is null) is false))
      returning erasure.place
    )
    select place from postponed`);
  const postponed = new Set(rows.map(({ place }) => place));
  return erasures.filter((_, place) => !postponed.has(place));
}

export async function endErasures(tx: Db, erasures: Erasure[]): Promise<void> {
  await tx.query(sql`delete from erasures using ${listedErasures(erasures)} where ${isListed}`);
}
