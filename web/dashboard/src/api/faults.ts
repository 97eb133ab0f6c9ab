import { sentence } from '../../../parts/field.tsx';
import type { Problem } from '../../../parts/problem.ts';

/** Words the faults of fields that are not `shown`, each with the name of its field. */
export function faultsBeyond(
  { errors }: Problem,
  shown: ReadonlySet<string> = new Set(),
): string[] {
  return Object.entries(errors)
    .filter(([field]) => !shown.has(field))
    .map(([field, messages]) => {
      // `status_id` is called "Status".
      const name = field.replace(/_id(s?)$/, '$1').replaceAll('_', ' ');
      return sentence(messages.map((each) => `${name} ${each}`));
    });
}
