import sql, { type Sql } from 'sql-template-tag';

/** The sentence for a number from which nothing is heard. */
export const silentProblem =
  'It sends, but WhatsApp reports nothing: no delivery and no message arrives.';

/**
 * SQL of the problem of a row of `numbers`; null if it has none. What the network refuses comes first, then what the
 * last check found, then silence.
 *
 * @param silenceMinutes how long nothing may be heard after a send
 */
export function numberProblem(silenceMinutes: number): Sql {
  return sql`coalesce(numbers.problem, numbers.faults -> 0 ->> 'found',
    case when numbers.unheard_since < now() - ${silenceMinutes}::int * interval '1 minute'
    then ${silentProblem}::text end)`;
}
