import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';

/**
 * Who has these phones, in whatever way they are written: name and id by the phone asked for. This
 * is no reading that the tenant's webhook is told of.
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
