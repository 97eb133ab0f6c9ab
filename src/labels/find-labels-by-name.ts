import sql, { join, raw } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { type LabelKind, labelKinds } from './label-kinds.ts';

/** The ids of labels by requested name. Names without a label are missing. */
export type LabelIds = Record<LabelKind, Map<string, number>>;

/**
 * Finds labels by name, for files that name labels instead of giving their ids. Names are compared
 * in the database, by the same rule that keeps them unique.
 */
export async function findLabelsByName(
  db: Db,
  tenantId: number,
  names: Record<LabelKind, string[]>,
): Promise<LabelIds> {
  const kinds = Object.keys(labelKinds) as LabelKind[];
  const found: LabelIds = { statuses: new Map(), sources: new Map(), groups: new Map() };
  if (kinds.every((kind) => names[kind].length === 0)) return found;
  const { rows } = await db.query<{ kind: LabelKind; name: string; id: number }>(
    join(
      kinds.map(
        (kind) => sql`
          select ${kind} as kind, asked.name, label.id
          from unnest(${names[kind]}::text[]) as asked (name)
          join ${raw(kind)} label on label.tenant_id = ${tenantId} and label.deleted_at is null
            and searchable(label.name) = searchable(asked.name)`,
      ),
      ' union all ',
    ),
  );
  for (const { kind, name, id } of rows) found[kind].set(name, id);
  return found;
}
