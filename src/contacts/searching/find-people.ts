import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';

/**
 * Finds the names and ids of the contacts with these phones, in any of their forms, by the given phone. No
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
      and contacts.phone_identity = phone_identity(asked.phone)`);
  return new Map(rows.map(({ phone, ...person }) => [phone, person]));
}
