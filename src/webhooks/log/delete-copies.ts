import sql, { type Sql } from 'sql-template-tag';
import { isMessageGone, isRecordGone } from '../../messages/record-of-event.ts';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { deletedDeliveries } from './deleted-deliveries.ts';

/** A person of a tenant's deliveries. */
type Person = { tenant_id: number; identity: string };

/** A table of the persons, each once, named `known`. */
function listedPersons(persons: Person[]): Sql {
  return sql`(
    select distinct * from ${rowsOf('listed', persons, {
      tenant_id: ['bigint', (person) => person.tenant_id],
      identity: ['text', ({ identity }) => identity],
    })}
  ) as known`;
}

/**
 * Deletes up to `limit` deliveries of some persons with copies of deleted messages and contacts. Events of contacts that
 * wait are sent first, because the contract promises them. If an endpoint is off, they are deleted too: it would get the
 * contact later, but not its deletion.
 *
 * @returns how many it deleted, and whether others are left
 */
export async function deleteCopies(
  tx: Db,
  persons: Person[],
  limit: number,
): Promise<{ deleted: number; areLeft: boolean }> {
  const { rows } = await tx.query<{ deleted: number; found: number }>(sql`
    with found as materialized (
      select copy.tenant_id, copy.id
      from ${listedPersons(persons)}
      join webhooks on webhooks.tenant_id = known.tenant_id
      cross join lateral (
        select deliveries.tenant_id, deliveries.id from deliveries
        where deliveries.tenant_id = known.tenant_id and deliveries.webhook_id = webhooks.id
          and deliveries.person = known.identity
          and (state <> 'waiting' or event like 'message.%' or webhooks.off_since is not null)
          and ${isRecordGone(sql`deliveries.tenant_id`, sql`event`, sql`body`)}
        limit ${limit}
      ) as copy
      limit ${limit}
    ), copies as (
      select deliveries.tenant_id, deliveries.id
      from found
      join deliveries on deliveries.tenant_id = found.tenant_id and deliveries.id = found.id
      for update of deliveries skip locked
    ), ${deletedDeliveries(sql`copies`)}
    select (select count(*) from gone)::int as deleted, (select count(*) from found)::int as found`);
  const { deleted, found } = rows[0]!;
  return { deleted, areLeft: found === limit || deleted < found };
}

/** Deletes deleted messages from those that endpoints still gather, which are few. */
export async function deleteGathered(tx: Db, persons: Person[]): Promise<void> {
  await tx.query(sql`
    delete from gathered_messages as gathered
    using ${listedPersons(persons)} join webhooks on webhooks.tenant_id = known.tenant_id
    where gathered.tenant_id = known.tenant_id and gathered.webhook_id = webhooks.id
      and gathered.person = known.identity
      and ${isMessageGone(sql`gathered.tenant_id`, sql`gathered.data`)}`);
}
