import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import {
  existingSource,
  fittedTexts,
  type KnownContact,
  lacksGroups,
  wantedGroups,
} from './known-contact.ts';
import { type MergeMode, mergedColumns } from './merge-contact.ts';

type Fields = {
  phone: string;
  firstname: string;
  lastname: string | null;
  email: string | null;
  company: string | null;
  city: string | null;
};

/** A contact as `upsertContact` would leave it. */
export type PreviewedContact = Fields & {
  outcome: 'created' | 'updated' | 'unchanged';
  /** The fields that an update would change: those above, `source_id` and `group_ids`. */
  changes: string[];
};

type Row = { now: Fields & { source_id: number | null }; then: Row['now']; lacks_groups: boolean };

/**
 * Finds out what `upsertContact` would do now, by the same SQL expressions, without doing it.
 *
 * @param mode `keep` for what `createContactIfAbsent` would do
 */
export async function previewContact(
  db: Db,
  tenantId: number,
  known: KnownContact,
  mode: MergeMode | 'keep',
): Promise<PreviewedContact> {
  const { phone } = known;
  const texts = fittedTexts(known);
  const { firstname, lastname, email, company, city, source_id } = mergedColumns(
    mode === 'keep' ? 'fill' : mode,
    {
      firstname: sql`given.firstname`,
      lastname: sql`given.lastname`,
      email: sql`given.email`,
      company: sql`given.company`,
      city: sql`given.city`,
      source_id: sql`given.source_id`,
    },
  );
  const { rows } = await db.query<Row>(sql`
    with ${wantedGroups(tenantId, known)}, given as (
      select ${texts.firstname}::text as firstname, ${texts.lastname}::text as lastname,
             ${texts.email}::text as email, ${texts.company}::text as company,
             ${texts.city}::text as city, ${existingSource(tenantId, known)} as source_id
    )
    select json_build_object(
             'phone', phone, 'firstname', contact.firstname, 'lastname', contact.lastname,
             'email', contact.email, 'company', contact.company, 'city', contact.city,
             'source_id', contact.source_id) as now,
           json_build_object(
             'phone', phone, 'firstname', ${firstname}, 'lastname', ${lastname}, 'email', ${email},
             'company', ${company}, 'city', ${city}, 'source_id', ${source_id}) as then,
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
  const names = Object.keys(row.now) as (keyof Row['now'])[];
  const changes: string[] = [
    ...names.filter((name) => row.now[name] !== row.then[name]),
    ...(row.lacks_groups ? ['group_ids'] : []),
  ];
  return preview(row.then, changes);
}

function preview({ source_id: _, ...fields }: Row['now'], changes: string[]): PreviewedContact {
  return { ...fields, outcome: changes.length > 0 ? 'updated' : 'unchanged', changes };
}
