import sql, { join, type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { recordedEvents } from '../../webhooks/record-events.ts';
import { contactRecord } from '../fields/contact-record.ts';

export type Assignment = {
  status_id?: number | null;
  source_id?: number | null;
  add_group_id?: number;
  remove_group_id?: number;
};

/** Locks contacts until the transaction ends. Returns the ids of those that exist. */
export async function lockContacts(tx: Db, tenantId: number, ids: number[]): Promise<number[]> {
  return idsOf(
    tx,
    sql`
      select id from contacts where tenant_id = ${tenantId} and id = any(${ids}::bigint[])
      order by id for no key update`,
  );
}

/**
 * Sets the status and the source, if they are given.
 *
 * @returns the contacts that had others
 */
export async function setLabels(
  tx: Db,
  tenantId: number,
  ids: number[],
  { status_id: status, source_id: source }: Pick<Assignment, 'status_id' | 'source_id'>,
): Promise<number[]> {
  const given = [
    ...(status === undefined ? [] : [{ column: sql`status_id`, id: sql`${status}::bigint` }]),
    ...(source === undefined ? [] : [{ column: sql`source_id`, id: sql`${source}::bigint` }]),
  ];
  if (given.length === 0) return [];
  return idsOf(
    tx,
    sql`
      update contacts set ${join(given.map(({ column, id }) => sql`${column} = ${id}`))}
      where tenant_id = ${tenantId} and id = any(${ids}::bigint[])
        and (${join(
          given.map(({ column, id }) => sql`${column} is distinct from ${id}`),
          ' or ',
        )})
      returning id`,
  );
}

/** @returns the contacts that were not in the group */
export async function addToGroup(
  tx: Db,
  tenantId: number,
  ids: number[],
  groupId: number,
): Promise<number[]> {
  return idsOf(
    tx,
    sql`
      insert into contact_groups (tenant_id, contact_id, group_id)
      select ${tenantId}, id, ${groupId} from unnest(${ids}::bigint[]) as id
      on conflict do nothing
      returning contact_id as id`,
  );
}

/** @returns the contacts that were in the group */
export async function removeFromGroup(
  tx: Db,
  tenantId: number,
  ids: number[],
  groupId: number,
): Promise<number[]> {
  return idsOf(
    tx,
    sql`
      delete from contact_groups
      where tenant_id = ${tenantId} and contact_id = any(${ids}::bigint[])
        and group_id = ${groupId}
      returning contact_id as id`,
  );
}

/** Records `contact.updated` events with the state of the contacts. */
export async function recordUpdates(tx: Db, tenantId: number, ids: number[]): Promise<void> {
  await tx.query(sql`
    with event as (
      select tenant_id, 'contact.updated' as type, ${contactRecord()} as data
      from contacts contact
      where tenant_id = ${tenantId} and id = any(${ids}::bigint[]) order by id
    ), ${recordedEvents}
    select`);
}

/** Runs a statement that returns a column `id`. */
export async function idsOf(tx: Db, statement: Sql): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(statement);
  return rows.map(({ id }) => id);
}
