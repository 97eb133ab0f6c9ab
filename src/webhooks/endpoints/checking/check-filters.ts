import { causeKinds } from '../../../messages/record/cause.ts';
import { messageKinds } from '../../../messages/record/message-kinds.ts';
import { numberIdsOf } from '../../../numbers/number-ids.ts';
import type { Db } from '../../../platform/database/database.ts';
import { type FieldErrors, invalid } from '../../../platform/errors/api-error.ts';
import { fault } from '../../../platform/errors/fault.ts';

/** Restricts the message events of an endpoint; null for all. Causes apply to outgoing messages only. */
export type Filters = {
  /** Ids of the network, `phone_number_id`. */
  numbers?: string[] | null | undefined;
  kinds?: string[] | null | undefined;
  causes?: string[] | null | undefined;
};

export type FilterColumns = {
  number_ids?: number[] | null;
  kinds?: string[] | null;
  causes?: string[] | null;
};

/**
 * Checks the filters of an endpoint. An empty list is no filter. A number that was disconnected stays in a filter,
 * which would otherwise become one for all numbers.
 *
 * @throws ApiError 422 on `numbers`, `kinds` or `causes`
 */
export async function checkFilters(
  db: Db,
  tenantId: number,
  { numbers, kinds, causes }: Filters,
): Promise<FilterColumns> {
  const errors: FieldErrors = {
    ...unknownIn('kinds', kinds, messageKinds),
    ...unknownIn('causes', causes, causeKinds),
  };
  const own = numbers?.length ? await numberIdsOf(db, tenantId) : [];
  const chosen = (numbers ?? []).map((given) => ({
    given,
    id: own.find((number) => number.phoneNumberId === given)?.id,
  }));
  const unknown = chosen.filter(({ id }) => id === undefined);
  if (unknown.length > 0) {
    errors.numbers = unknown.map(({ given }) =>
      fault('no_such_number', 'must not have "{number}", which is not a number of this tenant', {
        number: given,
      }),
    );
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return {
    ...(numbers !== undefined && { number_ids: orNull(chosen.flatMap(({ id }) => id ?? [])) }),
    ...(kinds !== undefined && { kinds: orNull(kinds ?? []) }),
    ...(causes !== undefined && { causes: orNull(causes ?? []) }),
  };
}

function unknownIn(
  field: string,
  given: string[] | null | undefined,
  known: readonly string[],
): FieldErrors {
  const unknown = (given ?? []).filter((each) => !known.includes(each));
  if (unknown.length === 0) return {};
  return {
    [field]: unknown.map((value) =>
      fault('not_in_list', 'must not have "{value}". Possible are {known}', {
        value,
        known: known.join(', '),
      }),
    ),
  };
}

function orNull<Item>(list: Item[]): Item[] | null {
  return list.length > 0 ? [...new Set(list)] : null;
}
