import sql, { raw, type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { recordedEvents } from '../../webhooks/record-events.ts';
import { byField } from '../fields/contact-fields.ts';
import { contactRecord } from '../fields/contact-record.ts';
import { eachColumn } from '../fields/field-columns.ts';
import { findContactByPhone } from '../find-contact-by-phone.ts';
import type { ContactRecord } from '../schema.ts';
import { insertedContacts, notifiedOfContacts } from './inserted-contacts.ts';
import {
  fittedTexts,
  grouped,
  groupIdsAfter,
  type KnownContact,
  lacksGroups,
  newContact,
  wantedGroups,
} from './known-contact.ts';
import { type MergeMode, mergedColumns, mergedNames } from './merge-contact.ts';

export type UpsertedContact = {
  contact: ContactRecord;
  outcome: 'created' | 'updated' | 'unchanged';
};

/**
 * Creates the contact of a phone, or merges the known fields into the existing one, and records the event in the
 * same statement. If nothing changes, there is no event. Labels that no longer exist are ignored.
 *
 * @param mode `upsert` replaces the known fields, `fill` sets only empty ones. Both add the contact to the groups
 *   and set the source only if it has none.
 */
export async function upsertContact(
  db: Db,
  tenantId: number,
  known: KnownContact,
  mode: MergeMode = 'upsert',
): Promise<UpsertedContact> {
  for (;;) {
    const { rows } = await db.query<{ record: ContactRecord; created: boolean }>(
      statement(
        `${mode}-contact`,
        sql`
          with ${wantedGroups(tenantId, known)}, ${insertedContacts({
            ...newContact(tenantId, known),
            onConflict: mergeInto(known, mode),
          })}, ${grouped}, written as (
            select tenant_id, created, ${contactRecord(groupIdsAfter)} as record from contact
          ), event as (
            select tenant_id,
                   case when created then 'contact.created' else 'contact.updated' end as type,
                   record as data
            from written
          ), ${recordedEvents}
          select record, created from written cross join ${notifiedOfContacts}`,
      ),
    );
    const [written] = rows;
    if (written) {
      return { contact: written.record, outcome: written.created ? 'created' : 'updated' };
    }
    const contact = await findContactByPhone(db, tenantId, known.phone);
    // It may have been deleted between the two statements.
    if (contact) return { contact, outcome: 'unchanged' };
  }
}

/** Creates the contact of a phone if there is none, and otherwise changes nothing. */
export async function createContactIfAbsent(
  db: Db,
  tenantId: number,
  known: KnownContact,
): Promise<UpsertedContact> {
  for (;;) {
    const contact = await findContactByPhone(db, tenantId, known.phone);
    if (contact) return { contact, outcome: 'unchanged' };
    const { rows } = await db.query<{ record: ContactRecord }>(
      statement(
        'create-contact-if-absent',
        sql`
          with ${wantedGroups(tenantId, known)}, ${insertedContacts(newContact(tenantId, known))},
          ${grouped}, written as (
            select tenant_id, ${contactRecord(groupIdsAfter)} as record from contact
          ), event as (
            select tenant_id, 'contact.created' as type, record as data from written
          ), ${recordedEvents}
          select record from written cross join ${notifiedOfContacts}`,
      ),
    );
    const [written] = rows;
    if (written) return { contact: written.record, outcome: 'created' };
  }
}

/** Builds the part of the statement that updates an existing contact, if anything changes. */
function mergeInto(known: KnownContact, mode: MergeMode): Sql {
  const { firstname } = fittedTexts(known);
  const merged = mergedColumns(mode, {
    ...byField(mergedNames, (name) => sql`excluded.${raw(name)}`),
    // `excluded` has the phone in place of an unknown first name.
    firstname: sql`${firstname}::text`,
  });
  return sql`
    update set
      ${eachColumn(mergedNames, (name, column) => sql`${column} = ${merged[name]}`)},
      updated_at = now()
    where (${eachColumn(mergedNames, (name) => merged[name])})
      is distinct from (${eachColumn(mergedNames, (_, column) => sql`contact.${column}`)})
      or ${lacksGroups}`;
}
