import { recordChange } from '../../audit/record-audit.ts';
import type { NumberFinder } from '../../numbers/find-number.ts';
import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import { nameFrom } from '../../platform/values/texts/name.ts';
import { withTenantLock } from '../../tenants/with-tenant-lock.ts';
import { findStore, type StoreRow, updateStore } from '../queries.ts';
import { checkStoreNumber } from './check-store-number.ts';
import { readCountry } from './read-country.ts';

/** Changes of a store. A field that is undefined stays as it is. */
export type StoreChanges = {
  name?: string | undefined;
  /** Two letters (ISO 3166), in either case; null or empty for none. */
  country?: string | null | undefined;
  /** Our id of the number that sends its messages; null for the rule that applies to every send. */
  number_id?: number | null | undefined;
};

/**
 * Changes the name, the country or the number of a store. They apply to its next events and to replays.
 *
 * @throws ApiError 404 if the tenant has no such store, 422 on `name`, `country` or `number_id`
 */
export async function changeStore(
  { db, numbers }: { db: Database; numbers: NumberFinder },
  tenantId: number,
  id: number,
  { name, country, number_id: numberId }: StoreChanges,
): Promise<StoreRow> {
  const change = {
    ...(name === undefined ? {} : { name: nameFrom(name) }),
    ...(country === undefined ? {} : { country: country ? readCountry(country) : null }),
    ...(numberId === undefined
      ? {}
      : { number_id: await checkStoreNumber(numbers, tenantId, numberId) }),
  };
  return await withTenantLock(db, tenantId, async (tx) => {
    const before = await findStore(tx, tenantId, id);
    const store = before && (await updateStore(tx, tenantId, id, change));
    if (!store) throw notFound();
    await recordChange(tx, tenantId, {
      action: 'store.changed',
      subject: store,
      before,
      after: change,
      shown: ['name', 'country', 'number_id'],
    });
    return store;
  });
}
