import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { statement } from '../platform/database/statement.ts';
import { contactIdOf } from './contact-identity.ts';
import { contactRecord } from './fields/contact-record.ts';
import type { ContactRecord } from './schema.ts';

/**
 * Finds the contact of a phone in any of its forms: the network's `wa_id` of a Brazilian, Argentine or Mexican
 * mobile (with a + before it) may differ from the stored phone. No `contact.read` event is recorded.
 *
 * @param phone E.164, or `user:` and a user id
 */
export async function findContactByPhone(
  db: Db,
  tenantId: number,
  phone: string,
): Promise<ContactRecord | undefined> {
  const { rows } = await db.query<{ record: ContactRecord }>(
    statement(
      'find-contact-by-phone',
      sql`
        select ${contactRecord()} as record from contacts contact
        where tenant_id = ${tenantId} and id = ${contactIdOf(tenantId, sql`${phone}::text`)}`,
    ),
  );
  return rows[0]?.record;
}
