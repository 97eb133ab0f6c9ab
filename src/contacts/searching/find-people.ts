import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { contactIdOf } from '../contact-identity.ts';

/**
 * Finds the names and ids of the contacts with these identities, phones in any of their forms, by the given one. No
 * `contact.read` event is recorded.
 */
export async function findPeople(
  db: Db,
  tenantId: number,
  phones: string[],
): Promise<Map<string, { id: number; name: string }>> {
  const { rows } = await db.query<{ phone: string; id: number; name: string }>(sql`
    select asked.phone, contacts.id, concat_ws(' ', contacts.firstname, contacts.lastname) as name
    from unnest(${phones}::text[]) as asked (phone)
    join contacts on contacts.tenant_id = ${tenantId}
      and contacts.id = ${contactIdOf(tenantId, sql`asked.phone`)}`);
  return new Map(rows.map(({ phone, ...person }) => [phone, person]));
}
