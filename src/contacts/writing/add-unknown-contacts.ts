import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { recordedEvents } from '../../webhooks/record-events.ts';
import { contactRecord } from '../fields/contact-record.ts';
import { insertedContacts, notifiedOfContacts } from './inserted-contacts.ts';

export type UnknownContact = {
  tenantId: number;
  /** E.164; null if the network hides it, and then there is a `userId`. */
  phone: string | null;
  /** The network's user id. */
  userId?: string | null;
  username?: string | null;
  firstname: string;
  lastname?: string | null;
  email?: string | null;
};

/**
 * Creates a contact, with its event, for each phone and user id that no contact of its tenant has, in any form.
 * Known contacts do not change. If two transactions add the same phone, the second one waits for the first. Call
 * this in the transaction that uses the phone.
 */
export async function addUnknownContacts(db: Db, unknown: UnknownContact[]): Promise<void> {
  await db.query(
    statement(
      'add-unknown-contacts',
      sql`
        with ${insertedContacts({
          columns:
            'tenant_id, firstname, lastname, phone, email, user_id, username, created_at, updated_at',
          source: sql`
            select tenant_id, firstname, lastname, phone, email, user_id, username, now(), now()
            from ${rowsOf('unknown', unknown, {
              tenant_id: ['bigint', ({ tenantId }) => tenantId],
              phone: ['text', ({ phone }) => phone],
              firstname: ['text', ({ firstname }) => firstname],
              lastname: ['text', (each) => each.lastname || null],
              email: ['text', (each) => each.email || null],
              user_id: ['text', (each) => each.userId || null],
              username: ['text', (each) => each.username || null],
            })}
            order by tenant_id, phone_identity(phone), user_id`,
        })}, event as (
          select contact.tenant_id, 'contact.created' as type,
                 ${contactRecord(sql`'[]'::json`)} as data
          from contact
        ), ${recordedEvents}
        select from ${notifiedOfContacts}`,
    ),
  );
}
