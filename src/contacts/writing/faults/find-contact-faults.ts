import type { Db } from '../../../platform/database/database.ts';
import type { FieldErrors } from '../../../platform/errors/api-error.ts';
import type { ContactChange } from '../../schema.ts';
import { takenFaults } from './contact-errors.ts';
import { findTaken } from './find-taken.ts';
import { findUnknownLabels } from './refuse-unknown-labels.ts';

/**
 * Finds the faults of a new or changed contact that need the database: labels that the tenant does not have, and
 * a phone or an external id that another contact has.
 *
 * @param contactId the id of the contact to change; undefined for a new one
 */
export async function findContactFaults(
  db: Db,
  tenantId: number,
  contactId: number | undefined,
  contact: ContactChange,
): Promise<FieldErrors> {
  const unknown = await findUnknownLabels(db, tenantId, contact);
  return { ...unknown, ...takenFaults(await findTaken(db, tenantId, contactId, contact)) };
}
