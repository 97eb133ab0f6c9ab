import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { isoTime } from '../platform/database/iso-time.ts';
import { recordedEvents } from '../webhooks/record-events.ts';
import type { EventType } from '../webhooks/schema.ts';
import { type LabelKind, labelKinds } from './label-kinds.ts';
import type { LabelChange, LabelRecord, NewLabel } from './schema.ts';

// A deleted label is an invisible row with `deleted_at`, until `unsetLabels` has removed it from
// its contacts.

export async function listLabels(
  db: Db,
  tenantId: number,
  kind: LabelKind,
): Promise<LabelRecord[]> {
  const { rows } = await db.query<{ record: LabelRecord }>(sql`
    select ${labelRecord(kind)} as record from ${raw(kind)} label
    where tenant_id = ${tenantId} and deleted_at is null order by id`);
  return rows.map(({ record }) => record);
}

export async function findLabel(
  db: Db,
  tenantId: number,
  kind: LabelKind,
  id: number,
): Promise<LabelRecord | undefined> {
  const { rows } = await db.query<{ record: LabelRecord }>(sql`
    select ${labelRecord(kind)} as record from ${raw(kind)} label
    where tenant_id = ${tenantId} and id = ${id} and deleted_at is null`);
  return rows[0]?.record;
}

/**
 * Inserts a label.
 *
 * @returns undefined if the tenant has `max` of the kind
 * @throws the database's unique violation if the name is taken
 */
export async function insertLabel(
  db: Db,
  tenantId: number,
  kind: LabelKind,
  { name, color, description }: NewLabel,
  max: number,
): Promise<LabelRecord | undefined> {
  const { hasColor } = labelKinds[kind];
  const { rows } = await db.query<{ record: LabelRecord }>(sql`
    with label as (
      insert into ${raw(kind)} (tenant_id, name, description ${hasColor ? raw(', color') : empty})
      select ${tenantId}::bigint, ${name}, ${description || null}
             ${hasColor ? sql`, ${color ?? null}` : empty}
      where (
        select count(*) from ${raw(kind)} where tenant_id = ${tenantId} and deleted_at is null
      ) < ${max}
      returning *
    ), ${recorded(kind, 'created')}`);
  return rows[0]?.record;
}

/**
 * Whether another label of the kind has the name.
 *
 * @param id the label itself, if it exists
 */
export async function isNameTaken(
  db: Db,
  tenantId: number,
  kind: LabelKind,
  name: string | undefined,
  id: number | undefined,
): Promise<boolean> {
  if (name === undefined) return false;
  const { rows } = await db.query(sql`
    select from ${raw(kind)}
    where tenant_id = ${tenantId} and searchable(name) = searchable(${name}) and deleted_at is null
      and id is distinct from ${id ?? null}`);
  return rows.length > 0;
}

/**
 * Updates a label. If nothing changes, no event is recorded, as with contacts.
 *
 * @throws the database's unique violation if the name is taken
 */
export async function updateLabel(
  db: Db,
  tenantId: number,
  kind: LabelKind,
  id: number,
  change: LabelChange,
): Promise<LabelRecord | undefined> {
  const columns = (['name', 'color', 'description'] as const).filter(
    (column) => change[column] !== undefined && (column !== 'color' || labelKinds[kind].hasColor),
  );
  const { rows } = await db.query<{ record: LabelRecord }>(sql`
    with label as (
      update ${raw(kind)} set ${join([
        sql`updated_at = now()`,
        ...columns.map((column) => sql`${raw(column)} = ${change[column] || null}`),
      ])}
      where tenant_id = ${tenantId} and id = ${id} and deleted_at is null and ${join(
        [
          sql`(false`,
          ...columns.map(
            (column) => sql`${raw(column)} is distinct from ${change[column] || null}`,
          ),
        ],
        ' or ',
      )})
      returning *
    ), ${recorded(kind, 'updated')}`);
  return rows[0]?.record ?? findLabel(db, tenantId, kind, id);
}

export async function markLabelDeleted(
  db: Db,
  tenantId: number,
  kind: LabelKind,
  id: number,
): Promise<LabelRecord | undefined> {
  const { rows } = await db.query<{ record: LabelRecord }>(sql`
    with label as (
      update ${raw(kind)} set deleted_at = now()
      where tenant_id = ${tenantId} and id = ${id} and deleted_at is null
      returning *
    ), ${recorded(kind, 'deleted')}`);
  return rows[0]?.record;
}

/**
 * The end of a statement that changed `label`: returns its record, and records the event of the
 * kind, if any.
 */
function recorded(kind: LabelKind, verb: 'created' | 'updated' | 'deleted'): Sql {
  const { event } = labelKinds[kind];
  const type: EventType | undefined = event && `${event}.${verb}`;
  return sql`
    record as (
      select tenant_id, ${labelRecord(kind)} as record from label
    ) ${
      type
        ? sql`, event as (
            select tenant_id, ${type} as type, record as data from record
          ), ${recordedEvents}`
        : empty
    }
    select record from record`;
}

function labelRecord(kind: LabelKind): Sql {
  return sql`json_build_object(
    'id', label.id,
    'name', label.name,
    ${labelKinds[kind].hasColor ? raw("'color', label.color,") : empty}
    'description', label.description,
    'created_at', ${isoTime(sql`label.created_at`)},
    'updated_at', ${isoTime(sql`label.updated_at`)})`;
}
