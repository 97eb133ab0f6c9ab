import { Problem } from '../../../parts/behaviour/problem.ts';
import { common } from '../../../texts/common.ts';

/** Words the faults of fields that are not `shown`, each with the name of its field. */
export function faultsBeyond(
  { errors }: Problem,
  shown: ReadonlySet<string> = new Set(),
): string[] {
  return Object.entries(errors)
    .filter(([field]) => !shown.has(field))
    .map(([field, sentences]) =>
      common('faultOfField', { field: nameOf(field), text: sentences.join(' ') }),
    );
}

/** `status_id` is called "Status". */
function nameOf(field: string): string {
  const name = field.replace(/_id(s?)$/, '$1').replaceAll('_', ' ');
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** A problem whose message also says what is wrong with single fields. */
export function inWords(problem: Problem): Problem {
  const faults = faultsBeyond(problem);
  return faults.length > 0 ? new Problem(problem.status, faults.join(' ')) : problem;
}
