import type { Network } from './network.ts';
import type { JsonObject, SimulatedNumber } from './types.ts';

/** Lists the numbers of a business account. */
export function numbersOf(
  { state }: Pick<Network, 'state'>,
  businessAccountId: string,
): SimulatedNumber[] {
  return [...state.numbers.values()].filter(
    (number) => number.business_account_id === businessAccountId,
  );
}

/**
 * Reports a change of a business account once to each app of its numbers, as the network does, however many numbers
 * the account has.
 */
export function reportOfAccount(
  network: Network,
  businessAccountId: string,
  field: string,
  content: JsonObject,
): void {
  const byApp = new Map<string, SimulatedNumber>();
  for (const number of numbersOf(network, businessAccountId)) {
    if (!byApp.has(number.app_id)) byApp.set(number.app_id, number);
  }
  for (const { phone_number_id } of byApp.values()) {
    const knobs = network.behaviours.peek(phone_number_id, null);
    network.outbox.add({ phone_number_id, kind: 'change', field, content }, knobs);
  }
}
