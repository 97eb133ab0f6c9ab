import sql, { raw } from 'sql-template-tag';
import type { Database } from '../platform/database/database.ts';
import { type LabelKind, labelKinds } from './label-kinds.ts';

/** Contacts looked at in one statement: who changes one of them meanwhile waits. */
const batchSize = 1_000;
/** Longer than any statement runs that still saw the label before it was deleted. */
const settledAfterMs = 60_000;

/**
 * Takes deleted labels off their contacts, some contacts at a time, and then removes the labels'
 * rows. Nobody has seen the labels since they were deleted, so nobody sees this.
 *
 * @param olderThanMs how long ago a label must have been deleted
 */
export async function unsetLabels(
  db: Database,
  {
    olderThanMs = settledAfterMs,
    isStopping = () => false,
  }: { olderThanMs?: number; isStopping?: () => boolean } = {},
): Promise<void> {
  for (const kind of Object.keys(labelKinds) as LabelKind[]) {
    for (const { tenant_id: tenantId, id } of await deletedLabels(db, kind, olderThanMs)) {
      if (kind === 'groups') await leaveGroup(db, tenantId, id, isStopping);
      else await unset(db, tenantId, kind, id, isStopping);
      if (isStopping()) return;
      await db.query(sql`delete from ${raw(kind)} where tenant_id = ${tenantId} and id = ${id}`);
    }
  }
}

async function deletedLabels(db: Database, kind: LabelKind, olderThanMs: number) {
  const { rows } = await db.query<{ tenant_id: number; id: number }>(sql`
    select tenant_id, id from ${raw(kind)}
    where deleted_at < now() - ${olderThanMs}::float8 * interval '1 ms'`);
  return rows;
}

/** Walks the contacts by id: an index on the label would cost every contact that gets one. */
async function unset(
  db: Database,
  tenantId: number,
  kind: 'statuses' | 'sources',
  labelId: number,
  isStopping: () => boolean,
): Promise<void> {
  const column = raw(`${labelKinds[kind].one}_id`);
  for (let after: number | null = 0; after !== null && !isStopping(); ) {
    const { rows }: { rows: { last: number | null }[] } = await db.query(sql`
      with page as (
        select id, ${column} as label_id from contacts
        where tenant_id = ${tenantId} and id > ${after} order by id limit ${batchSize}
      ), unset as (
        update contacts set ${column} = null from page
        where contacts.tenant_id = ${tenantId} and contacts.id = page.id
          and page.label_id = ${labelId} and contacts.${column} = ${labelId}
      )
      select max(id) as last from page`);
    after = rows[0]!.last;
  }
}

async function leaveGroup(
  db: Database,
  tenantId: number,
  groupId: number,
  isStopping: () => boolean,
): Promise<void> {
  for (let left: number | null = batchSize; left === batchSize && !isStopping(); ) {
    const { rowCount }: { rowCount: number | null } = await db.query(sql`
      delete from contact_groups where tenant_id = ${tenantId} and group_id = ${groupId}
        and contact_id in (
          select contact_id from contact_groups
          where tenant_id = ${tenantId} and group_id = ${groupId} limit ${batchSize})`);
    left = rowCount;
  }
}
