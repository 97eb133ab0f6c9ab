import sql from 'sql-template-tag';
import type { Db } from '../../../platform/database/database.ts';
import type { ContactChange } from '../../schema.ts';
import type { Taken } from './contact-errors.ts';

/**
 * Finds the contacts that have the phone and the external id of a new or changed contact.
 *
 * @param contactId the id of the contact itself; undefined for a new one
 */
export async function findTaken(
  db: Db,
  tenantId: number,
  contactId: number | undefined,
  { phone, external_id: externalId }: Pick<ContactChange, 'phone' | 'external_id'>,
): Promise<Taken> {
  if (phone === undefined && !externalId) return { phone: null, external_id: null };
  const { rows } = await db.query<Taken>(sql`
    select (
      select id from contacts
      where tenant_id = ${tenantId} and phone_identity = phone_identity(${phone ?? null})
        and id is distinct from ${contactId ?? null}
    ) as phone, (
      select id from contacts
      where tenant_id = ${tenantId} and external_id = ${externalId || null}
        and id is distinct from ${contactId ?? null}
    ) as external_id`);
  return rows[0]!;
}
