import sql, { raw } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { byField, type ContactTexts, contactFields } from '../fields/contact-fields.ts';
import { eachColumn } from '../fields/field-columns.ts';
import {
  existingSource,
  fittedTexts,
  type KnownContact,
  type KnownField,
  knownFields,
  lacksGroups,
  wantedGroups,
} from './known-contact.ts';
import { type MergeMode, mergedColumns, mergedNames } from './merge-contact.ts';

/** A contact as `upsertContact` would leave it. */
export type PreviewedContact = ContactTexts & {
  outcome: 'created' | 'updated' | 'unchanged';
  /** The names of the fields that an update would change, `source_id` and `group_ids` included. */
  changes: string[];
};

type MergedContact = ContactTexts & { source_id: number | null };
type Row = { now: MergedContact; then: MergedContact; lacks_groups: boolean };

/**
 * Computes what `upsertContact` would do now, with the same SQL expressions, without doing it.
 *
 * @param mode `keep` previews `createContactIfAbsent`
 */
export async function previewContact(
  db: Db,
  tenantId: number,
  known: KnownContact,
  mode: MergeMode | 'keep',
): Promise<PreviewedContact> {
  const { phone } = known;
  const texts = fittedTexts(known);
  const merged = mergedColumns(
    mode === 'keep' ? 'fill' : mode,
    byField(mergedNames, (name) => sql`given.${raw(name)}`),
  );
  const typed = (name: KnownField) => sql`${texts[name]}::${raw(contactFields[name].column)}`;
  const { rows } = await db.query<Row>(sql`
    with ${wantedGroups(tenantId, known)}, given as (
      select ${eachColumn(knownFields, (name, column) => sql`${typed(name)} as ${column}`)},
             ${existingSource(tenantId, known)} as source_id
    )
    select json_build_object(
             'phone', phone,
             ${eachColumn(mergedNames, (_, column) => sql`'${column}', contact.${column}`)}) as now,
           json_build_object(
             'phone', phone,
             ${eachColumn(mergedNames, (name, column) => sql`'${column}', ${merged[name]}`)}) as then,
           ${lacksGroups} as lacks_groups
    from contacts contact cross join given
    where tenant_id = ${tenantId} and phone_identity = phone_identity(${phone})`);
  const [row] = rows;
  if (!row) {
    return {
      phone,
      ...texts,
      firstname: texts.firstname ?? phone,
      outcome: 'created',
      changes: [],
    };
  }
  if (mode === 'keep') return preview(row.now, []);
  const changes: string[] = [
    ...mergedNames.filter((name) => row.now[name] !== row.then[name]),
    ...(row.lacks_groups ? ['group_ids'] : []),
  ];
  return preview(row.then, changes);
}

function preview({ source_id: _, ...fields }: MergedContact, changes: string[]): PreviewedContact {
  return { ...fields, outcome: changes.length > 0 ? 'updated' : 'unchanged', changes };
}
