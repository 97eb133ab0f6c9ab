import type { NumberFinder } from '../numbers/find-number.ts';
import type { Db } from '../platform/database/database.ts';
import { notFound } from '../platform/errors/api-error.ts';
import { nameFrom } from '../platform/values/name.ts';
import { checkStoreNumber } from './check-store-number.ts';
import { type StoreRow, updateStore } from './queries.ts';
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
  { db, numbers }: { db: Db; numbers: NumberFinder },
  tenantId: number,
  id: number,
  { name, country, number_id: numberId }: StoreChanges,
): Promise<StoreRow> {
  const store = await updateStore(db, tenantId, id, {
    ...(name === undefined ? {} : { name: nameFrom(name) }),
    ...(country === undefined ? {} : { country: country ? readCountry(country) : null }),
    ...(numberId === undefined
      ? {}
      : { numberId: await checkStoreNumber(numbers, tenantId, numberId) }),
  });
  if (!store) throw notFound();
  return store;
}
