import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { isVisible } from '../../platform/name.ts';
import { recordedEvents } from '../../webhooks/record-events.ts';
import { contactRecord, groupIdsNow } from '../contact-record.ts';
import { findContactByPhone } from '../find-contact-by-phone.ts';
import { type ContactRecord, isEmail } from '../schema.ts';
import { insertedContacts } from './inserted-contacts.ts';

/** What others know of a contact. Absent, null and empty fields say nothing. */
export type KnownContact = {
  /** E.164. */
  phone: string;
  firstname?: string | null;
  lastname?: string | null;
  email?: string | null;
  company?: string | null;
  city?: string | null;
  /** For a contact that has no source yet. */
  source_id?: number;
  /** To be in as well. */
  group_ids?: number[];
};

export type UpsertedContact = {
  contact: ContactRecord;
  outcome: 'created' | 'updated' | 'unchanged';
};

/**
 * Creates the contact of a phone, or changes the fields that are known and differ, with the event
 * in the same statement. Texts of other systems are made to fit: one line, 255 characters; an
 * email address that is none is left out; without a first name a new contact gets the phone. Labels
 * that are not there (any more) are passed over.
 */
export async function upsertContact(
  db: Db,
  tenantId: number,
  known: KnownContact,
): Promise<UpsertedContact> {
  const { phone } = known;
  const firstname = oneLine(known.firstname);
  const { wanted, grouped, groupIds } = groupSteps(tenantId, known);
  for (;;) {
    const { rows } = await db.query<{ record: ContactRecord; created: boolean }>(
      prepared(
        'upsert-contact',
        sql`
          with ${wanted}, ${insertedContacts({
            ...given(tenantId, known),
            known: sql`
              update set
                firstname = coalesce(${firstname}, contact.firstname),
                lastname = coalesce(excluded.lastname, contact.lastname),
                email = coalesce(excluded.email, contact.email),
                company = coalesce(excluded.company, contact.company),
                city = coalesce(excluded.city, contact.city),
                source_id = coalesce(contact.source_id, excluded.source_id),
                updated_at = now()
              where (coalesce(${firstname}, contact.firstname),
                     coalesce(excluded.lastname, contact.lastname),
                     coalesce(excluded.email, contact.email),
                     coalesce(excluded.company, contact.company),
                     coalesce(excluded.city, contact.city),
                     coalesce(contact.source_id, excluded.source_id))
                is distinct from
                    (contact.firstname, contact.lastname, contact.email, contact.company,
                     contact.city, contact.source_id)
                or exists (
                  select id from wanted except select group_id from contact_groups
                  where contact_groups.tenant_id = contact.tenant_id
                    and contact_groups.contact_id = contact.id)`,
          })}, ${grouped}, written as (
            select tenant_id, created, ${contactRecord(groupIds)} as record from contact
          ), event as (
            select tenant_id,
                   case when created then 'contact.created' else 'contact.updated' end as type,
                   record as data
            from written
          ), ${recordedEvents}
          select record, created from written`,
      ),
    );
    const [written] = rows;
    if (written) {
      return { contact: written.record, outcome: written.created ? 'created' : 'updated' };
    }
    const contact = await findContactByPhone(db, tenantId, phone);
    // It may have been deleted between the two statements.
    if (contact) return { contact, outcome: 'unchanged' };
  }
}

/** Creates the contact of a phone when there is none; else changes nothing. Texts as above. */
export async function createContactIfAbsent(
  db: Db,
  tenantId: number,
  known: KnownContact,
): Promise<UpsertedContact> {
  const { phone } = known;
  const { wanted, grouped, groupIds } = groupSteps(tenantId, known);
  for (;;) {
    const contact = await findContactByPhone(db, tenantId, phone);
    if (contact) return { contact, outcome: 'unchanged' };
    const { rows } = await db.query<{ record: ContactRecord }>(
      prepared(
        'create-contact-if-absent',
        sql`
          with ${wanted}, ${insertedContacts(given(tenantId, known))}, ${grouped}, written as (
            select tenant_id, ${contactRecord(groupIds)} as record from contact
          ), event as (
            select tenant_id, 'contact.created' as type, record as data from written
          ), ${recordedEvents}
          select record from written`,
      ),
    );
    const [written] = rows;
    if (written) return { contact: written.record, outcome: 'created' };
  }
}

/** What a new contact is, with its source where that is there. */
function given(tenantId: number, known: KnownContact): { columns: string; source: Sql } {
  const { phone } = known;
  const email = oneLine(known.email);
  const source: Sql = sql`(
    select id from sources
    where tenant_id = ${tenantId} and id = ${known.source_id ?? null} and deleted_at is null
  )`;
  return {
    columns: 'tenant_id, phone, firstname, lastname, email, company, city, source_id',
    source: sql`
      values (${tenantId}, ${phone}, coalesce(${oneLine(known.firstname)}, ${phone}),
              ${oneLine(known.lastname)}, ${email !== null && isEmail(email) ? email : null},
              ${oneLine(known.company)}, ${oneLine(known.city)}, ${source})`,
  };
}

/** Parts of a statement that puts `contact` into its groups, of those that are there. */
function groupSteps(tenantId: number, { group_ids = [] }: KnownContact) {
  const wanted: Sql = sql`wanted as (
    select id from groups
    where tenant_id = ${tenantId} and id = any(${group_ids}::bigint[]) and deleted_at is null
  )`;
  const grouped: Sql = sql`grouped as (
    insert into contact_groups (tenant_id, contact_id, group_id)
    select contact.tenant_id, contact.id, wanted.id from contact cross join wanted
    on conflict do nothing
  )`;
  // Whether the rows that the statement itself inserts are seen is nobody's promise.
  const groupIds: Sql = sql`to_json(array(
    select unnest(${groupIdsNow}) union select id from wanted order by 1))`;
  return { wanted, grouped, groupIds };
}

/** Text as the schema asks for it; null when nothing is left. */
function oneLine(text: string | null | undefined): string | null {
  const line = (text ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
  return isVisible(line) ? [...line].slice(0, 255).join('').trimEnd() : null;
}
