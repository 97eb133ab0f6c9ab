import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { recordedEvents } from '../../webhooks/record-events.ts';
import { contactRecord } from '../contact-record.ts';

export type Assignment = {
  status_id?: number | null;
  source_id?: number | null;
  add_group_id?: number;
  remove_group_id?: number;
};

/** Locks contacts until the transaction ends. Returns the ids of those that exist. */
export async function lockContacts(tx: Db, tenantId: number, ids: number[]): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(sql`
    select id from contacts where tenant_id = ${tenantId} and id = any(${ids}::bigint[])
    order by id for no key update`);
  return rows.map(({ id }) => id);
}

/** Sets the status and the source, if they are given. */
export async function setLabels(
  tx: Db,
  tenantId: number,
  ids: number[],
  { status_id: status, source_id: source }: Pick<Assignment, 'status_id' | 'source_id'>,
): Promise<void> {
  await tx.query(sql`
    update contacts set
      updated_at = now()
      ${status === undefined ? sql`` : sql`, status_id = ${status}`}
      ${source === undefined ? sql`` : sql`, source_id = ${source}`}
    where tenant_id = ${tenantId} and id = any(${ids}::bigint[])`);
}

export async function addToGroup(
  tx: Db,
  tenantId: number,
  ids: number[],
  groupId: number,
): Promise<void> {
  await tx.query(sql`
    insert into contact_groups (tenant_id, contact_id, group_id)
    select ${tenantId}, id, ${groupId} from unnest(${ids}::bigint[]) as id
    on conflict do nothing`);
}

export async function removeFromGroup(
  tx: Db,
  tenantId: number,
  ids: number[],
  groupId: number,
): Promise<void> {
  await tx.query(sql`
    delete from contact_groups
    where tenant_id = ${tenantId} and contact_id = any(${ids}::bigint[])
      and group_id = ${groupId}`);
}

/** Records `contact.updated` events with the current state of the contacts in the transaction. */
export async function recordUpdates(tx: Db, tenantId: number, ids: number[]): Promise<void> {
  await tx.query(sql`
    with event as (
      select tenant_id, 'contact.updated' as type, ${contactRecord()} as data
      from contacts contact
      where tenant_id = ${tenantId} and id = any(${ids}::bigint[]) order by id
    ), ${recordedEvents}
    select`);
}
