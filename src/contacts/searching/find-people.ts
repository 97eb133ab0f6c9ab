import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { contactIdOf } from '../contact-identity.ts';

type Person = {
  id: number;
  name: string;
  status_id: number | null;
  source_id: number | null;
  group_ids: number[];
};

/**
 * Finds the names, ids and labels of the contacts with these identities, phones in any of their forms, by the given one.
 * No `contact.read` event is recorded.
 */
export async function findPeople(
  db: Db,
  tenantId: number,
  phones: string[],
): Promise<Map<string, Person>> {
  const { rows } = await db.query<Person & { phone: string }>(sql`
    select asked.phone, contacts.id, concat_ws(' ', contacts.firstname, contacts.lastname) as name,
           status_id, source_id, to_json(array(
             select group_id from contact_groups
             where contact_groups.tenant_id = ${tenantId} and contact_id = contacts.id)) as group_ids
    from unnest(${phones}::text[]) as asked (phone)
    join contacts on contacts.tenant_id = ${tenantId}
      and contacts.id = ${contactIdOf(tenantId, sql`asked.phone`)}`);
  return new Map(rows.map(({ phone, ...person }) => [phone, person]));
}
