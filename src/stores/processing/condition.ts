import { type Fault, fault } from '../../platform/errors/fault.ts';
import { type Payload, textsAt } from '../platforms/read-payload.ts';
import type { Condition } from '../schema.ts';

/** Returns why a payload does not meet a condition, or undefined if it does. */
export function unmet({ path, values }: Condition, payload: Payload): Fault | undefined {
  const found = textsAt(payload, path);
  if (found.length === 0) {
    const text = 'The message is sent only if the payload has a value at {path}.';
    return fault('condition_without_value', text, { path });
  }
  const inLowerCase = values.map((each) => each.trim().toLowerCase());
  const isMet = found.some((each) => inLowerCase.includes(each.toLowerCase()));
  if (values.length === 0 || isMet) return undefined;
  return fault(
    'condition_not_met',
    '{path} is "{found}". The message is sent only for: {values}.',
    {
      path,
      found: found.join(', ').slice(0, 60),
      values: values.join(', '),
    },
  );
}
