import type { Network } from '../network.ts';
import type { Phone, SimulatedNumber } from '../types.ts';
import { ControlError } from './control-error.ts';

/** @throws a 404 if no number has the id */
export function requireNumber({ state }: Network, id: string): SimulatedNumber {
  const number = state.numbers.get(id);
  if (!number) throw new ControlError(404, 'no number has this phone_number_id');
  return number;
}

/** @throws a 404 if the network has no phone with these digits */
export function requirePhone({ state }: Network, digits: string): Phone {
  const phone = state.phones.get(digits);
  if (!phone) throw new ControlError(404, 'no such phone');
  return phone;
}
