import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { moment } from '../../platform/database/moment.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { recordedEvents } from '../../webhooks/record-events.ts';
import { contactRecord } from '../contact-record.ts';
import { insertedContacts } from './inserted-contacts.ts';

export type UnknownContact = {
  tenantId: number;
  /** E.164 */
  phone: string;
  firstname: string;
  lastname?: string | null;
  email?: string | null;
};

/**
 * Creates a contact, with its event, of each phone that no contact of its tenant has, however the
 * phone is written; changes nothing about known ones. Of two at once, one creates and the other
 * waits for it. Give it the transaction of what makes the phone known.
 */
export async function addUnknownContacts(
  db: Db,
  unknown: UnknownContact[],
  clockOffsetMs: number,
): Promise<void> {
  await db.query(
    prepared(
      'add-unknown-contacts',
      sql`
        with ${insertedContacts({
          columns: 'tenant_id, firstname, lastname, phone, email, created_at, updated_at',
          source: sql`
            select tenant_id, firstname, lastname, phone, email, at, at
            from unnest(${unknown.map((each) => each.tenantId)}::bigint[],
                        ${unknown.map((each) => each.phone)}::text[],
                        ${unknown.map((each) => each.firstname)}::text[],
                        ${unknown.map((each) => each.lastname || null)}::text[],
                        ${unknown.map((each) => each.email || null)}::text[])
                 as unknown (tenant_id, phone, firstname, lastname, email)
            cross join (select ${moment(clockOffsetMs)} as at) as moment
            order by tenant_id, phone_identity(phone)`,
        })}, event as (
          select contact.tenant_id, 'contact.created' as type,
                 ${contactRecord(sql`'[]'::json`)} as data
          from contact
        ), ${recordedEvents}
        select from contact`,
    ),
  );
}
