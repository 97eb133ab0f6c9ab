import sql, { raw, type Sql } from 'sql-template-tag';
import { type LabelKind, labelKinds } from '../../labels/label-kinds.ts';
import type { Db } from '../../platform/database/database.ts';
import { recordedBatch } from '../../webhooks/record-events.ts';
import { contactRecord } from '../fields/contact-record.ts';
import { idsOf, removeFromGroup } from './assign-queries.ts';

export type LabelOfTenant = { tenantId: number; kind: LabelKind; id: number };

type UnassignedPage = {
  /** The id of the last contact of the page; undefined if no contact after `afterId` has the label. */
  lastId: number | undefined;
  /** How many contacts lost the label. Contacts that another transaction has locked keep it. */
  changed: number;
};

/**
 * Removes a label from the next `limit` contacts that have it, in the order of their ids, in the caller's
 * transaction. Each of them gets a new `updated_at` and a `contact.updated` event.
 *
 * Contacts that another transaction has locked are skipped, so this never waits while it holds locks.
 */
export async function unassignLabel(
  tx: Db,
  label: LabelOfTenant,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<UnassignedPage> {
  const ids = await idsOf(tx, holdersAfter(label, afterId, limit));
  const changed = await unassign(tx, label, ids);
  await recordUpdatesAsBatch(tx, label.tenantId, changed);
  return { lastId: ids.at(-1), changed: changed.length };
}

/**
 * Selects the contacts that have a label, `limit` of them after an id.
 *
 * The label is written as a range and is part of the order, although it is one value. Otherwise PostgreSQL may scan
 * the contacts by their primary key, which costs more the fewer of them have the label.
 */
function holdersAfter(
  { tenantId, kind, id: labelId }: LabelOfTenant,
  afterId: number,
  limit: number,
): Sql {
  const { table, label, contact } = placeOf(kind);
  return sql`
    select ${contact} as id from ${table}
    where tenant_id = ${tenantId}
      and (${label}, ${contact}) > (${labelId}::bigint, ${afterId}::bigint) and ${label} <= ${labelId}
    order by ${label}, ${contact} limit ${limit}`;
}

/** Returns the table that stores which contacts have a label, and its columns for both ids. */
function placeOf(kind: LabelKind) {
  const isGroup = kind === 'groups';
  return {
    table: raw(isGroup ? 'contact_groups' : 'contacts'),
    label: raw(`${labelKinds[kind].one}_id`),
    contact: raw(isGroup ? 'contact_id' : 'id'),
  };
}

/** @returns the ids of the contacts that had the label and lost it */
async function unassign(
  tx: Db,
  { tenantId, kind, id: labelId }: LabelOfTenant,
  ids: number[],
): Promise<number[]> {
  const locked = await idsOf(
    tx,
    sql`select id from contacts where tenant_id = ${tenantId} and id = any(${ids}::bigint[])
        order by id for no key update skip locked`,
  );
  if (kind !== 'groups') {
    const column = raw(`${labelKinds[kind].one}_id`);
    return idsOf(
      tx,
      sql`update contacts set ${column} = null, updated_at = now()
          where tenant_id = ${tenantId} and id = any(${locked}::bigint[])
            and ${column} = ${labelId}
          returning id`,
    );
  }
  const left = await removeFromGroup(tx, tenantId, locked, labelId);
  return idsOf(
    tx,
    sql`update contacts set updated_at = now()
        where tenant_id = ${tenantId} and id = any(${left}::bigint[])
        returning id`,
  );
}

/**
 * Records the events as one batch. The commit does not wait for the disk then: if a crash of the
 * database loses it, the change and its events are lost together, and the next page repeats both.
 */
async function recordUpdatesAsBatch(tx: Db, tenantId: number, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(sql`
    with event as (
      select ${contactRecord()} as data from contacts contact
      where tenant_id = ${tenantId} and id = any(${ids}::bigint[]) order by id
    ), ${recordedBatch(tenantId, 'contact.updated')}
    select`);
}
