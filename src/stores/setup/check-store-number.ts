import type { NumberFinder } from '../../numbers/find-number.ts';
import { invalid } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';

/**
 * Checks the number that is chosen to send a store's messages.
 *
 * @param numberId our id of it; null for the rule that applies to every send
 * @throws ApiError 422 on `number_id`
 */
export async function checkStoreNumber(
  numbers: NumberFinder,
  tenantId: number,
  numberId: number | null | undefined,
): Promise<number | null> {
  if (numberId === null || numberId === undefined) return null;
  const senders = await numbers.senders(tenantId);
  if (senders.some(({ id }) => id === numberId)) return numberId;
  throw invalid({
    number_id: [
      fault('unknown_number', 'is not a connected number of this tenant: {id}', {
        id: String(numberId),
      }),
    ],
  });
}
