import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { contactRecord } from './fields/contact-record.ts';
import type { ContactRecord } from './schema.ts';

/** Finds one contact without an event. */
export async function findContact(
  db: Db,
  tenantId: number,
  contactId: number,
): Promise<ContactRecord | undefined> {
  const { rows } = await db.query<{ record: ContactRecord }>(sql`
    select ${contactRecord()} as record
    from contacts contact where tenant_id = ${tenantId} and id = ${contactId}`);
  return rows[0]?.record;
}
