import sql, { type Sql } from 'sql-template-tag';
import { codeOf, fault } from '../../platform/errors/fault.ts';

/** The sentence for a number from which nothing is heard. */
export const silentProblem = fault(
  'number_silent',
  'It sends, but WhatsApp reports nothing: no delivery and no message arrives.',
);

/**
 * SQL of the problem of a row of `numbers`; null if it has none. What the network refuses comes first, then what the
 * last check found, then silence.
 *
 * @param silenceMinutes how long nothing may be heard after a send
 */
export function numberProblem(silenceMinutes: number): Sql {
  return sql`coalesce(numbers.problem, numbers.faults -> 0 ->> 'found',
    case when ${isSilent(silenceMinutes)} then ${silentProblem.text}::text end)`;
}

/** SQL of whether the access token of a row of `numbers` ends within two weeks, or has ended. */
export const tokenEndsSoon: Sql = sql`numbers.token_expires_at < now() + interval '14 days'`;

/** SQL of the code of `numberProblem`, as JSON; null if the problem was stored without one. */
export function numberProblemCode(silenceMinutes: number): Sql {
  return sql`case
    when numbers.problem is not null then case
      when numbers.problem_says ->> 'text' = numbers.problem then numbers.problem_says - 'text' end
    when numbers.faults -> 0 is not null then numbers.faults -> 0 -> 'found_says'
    when ${isSilent(silenceMinutes)} then ${JSON.stringify(codeOf(silentProblem))}::jsonb end`;
}

function isSilent(minutes: number): Sql {
  return sql`numbers.unheard_since < now() - ${minutes}::int * interval '1 minute'`;
}
