import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { fault } from '../../platform/errors/fault.ts';
import { maxEntries } from '../metadata.ts';
import { externalIdTaken } from '../writing/contact-errors.ts';
import type { ImportedContact } from './import-query.ts';
import type { RowFault } from './refused-row.ts';

type Conflict = { place: number; is_taken: boolean };

/**
 * Finds the contacts of a file that cannot be written: their external id belongs to another contact or to another
 * phone in an earlier row, or they would have too many entries in their metadata.
 *
 * @returns the faults by the index of the contact
 */
export async function findConflicts(
  db: Db,
  tenantId: number,
  contacts: ImportedContact[],
): Promise<Map<number, RowFault[]>> {
  const given = contacts.flatMap(({ phone, external_id, metadata }, place) =>
    external_id || metadata ? [{ phone, external_id, metadata, place }] : [],
  );
  if (given.length === 0) return new Map();
  const { rows } = await db.query<Conflict>(sql`
    with given as materialized (
      select given.*, phone_identity(phone) as identity
      from ${rowsOf('given', given, {
        phone: ['text', ({ phone }) => phone],
        external_id: ['text', ({ external_id }) => external_id],
        metadata: ['jsonb', ({ metadata }) => JSON.stringify(metadata ?? {})],
        place: ['int', ({ place }) => place],
      })}
    ), judged as (
      select given.place,
             exists (
               select from contacts
               where contacts.tenant_id = ${tenantId} and contacts.external_id = given.external_id
                 and contacts.phone_identity is distinct from given.identity
             ) or exists (
               select from given as earlier
               where earlier.external_id = given.external_id and earlier.place < given.place
                 and earlier.identity <> given.identity
             ) as is_taken,
             (select count(*) from jsonb_object_keys(given.metadata || coalesce((
               select contacts.metadata from contacts
               where contacts.tenant_id = ${tenantId} and contacts.phone_identity = given.identity
             ), '{}'))) > ${maxEntries} as is_too_much
      from given
    )
    select place, is_taken from judged where is_taken or is_too_much`);
  return new Map(rows.map(({ place, is_taken }) => [place, is_taken ? [taken] : [tooMuch]]));
}

const taken: RowFault = { field: 'external_id', fault: externalIdTaken };
const tooMuch: RowFault = {
  field: 'metadata',
  fault: fault(
    'metadata_full',
    'must have at most {max} entries together with those that the contact has',
    { max: maxEntries },
  ),
};
