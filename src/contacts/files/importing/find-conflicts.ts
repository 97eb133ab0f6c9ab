import sql from 'sql-template-tag';
import type { Db } from '../../../platform/database/database.ts';
import { rowsOf } from '../../../platform/database/rows-of.ts';
import { fault } from '../../../platform/errors/fault.ts';
import { maxEntries } from '../../fields/metadata.ts';
import { externalIdTaken } from '../../writing/faults/contact-errors.ts';
import type { ImportedContact } from './import-query.ts';
import type { RowFault } from './refused-row.ts';

type Judged = {
  place: number;
  identity: string;
  /** Whether the external id belongs to another contact. */
  is_taken: boolean;
  /** The names in the metadata that the contact has. */
  known: string[];
};

/**
 * Finds the contacts of a file that cannot be written: their external id belongs to another contact or to another
 * phone in an earlier row, or they would have too many entries in their metadata.
 *
 * @param checked the phones of the external ids in earlier rows that were only checked, so that no contact has them
 * @returns the faults by the index of the contact
 */
export async function findConflicts(
  db: Db,
  tenantId: number,
  contacts: ImportedContact[],
  checked: ReadonlyMap<string, string> = new Map(),
): Promise<Map<number, RowFault[]>> {
  const given = contacts.flatMap(({ phone, external_id, metadata }, place) => {
    const checkedPhone = checked.get(external_id ?? '') ?? null;
    return external_id || metadata ? [{ phone, external_id, checkedPhone, place }] : [];
  });
  if (given.length === 0) return new Map();
  const { rows } = await db.query<Judged>(sql`
    with given as materialized (
      select given.*, phone_identity(phone) as identity
      from ${rowsOf('given', given, {
        phone: ['text', ({ phone }) => phone],
        external_id: ['text', ({ external_id }) => external_id],
        checked_phone: ['text', ({ checkedPhone }) => checkedPhone],
        place: ['int', ({ place }) => place],
      })}
    )
    select given.place, given.identity,
             exists (
               select from contacts
               where contacts.tenant_id = ${tenantId} and contacts.external_id = given.external_id
                 and contacts.phone_identity is distinct from given.identity
             ) or exists (
               select from given as earlier
               where earlier.external_id = given.external_id and earlier.place < given.place
                 and earlier.identity <> given.identity
             ) or coalesce(phone_identity(given.checked_phone) <> given.identity, false) as is_taken,
             array(
               select jsonb_object_keys(contacts.metadata) from contacts
               where contacts.tenant_id = ${tenantId} and contacts.phone_identity = given.identity
             ) as known
      from given
      order by given.place`);
  const faults = new Map<number, RowFault[]>();
  const names = new Map<string, Set<string>>();
  for (const { place, identity, is_taken, known } of rows) {
    // Earlier rows of the contact that are imported add to what it has.
    const before = names.get(identity) ?? new Set(known);
    const after = new Set([...before, ...Object.keys(contacts[place]!.metadata ?? {})]);
    if (is_taken) faults.set(place, [taken]);
    else if (after.size > maxEntries) faults.set(place, [tooMuch]);
    else names.set(identity, after);
  }
  return faults;
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
