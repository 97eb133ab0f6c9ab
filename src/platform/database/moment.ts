import sql, { type Sql } from 'sql-template-tag';
import { Shared } from './prepared.ts';
import { unmoved, Value } from './statement.ts';

/** The moment of a statement, as the clock of the program has it: a timestamptz. */
export const moment = (clockOffsetMs: number | Value<number>): Sql => {
  if (clockOffsetMs === unmoved) return sql`now()`;
  const offset = clockOffsetMs instanceof Value ? clockOffsetMs : new Shared(clockOffsetMs);
  return sql`(now() + ${offset}::float8 * interval '1 ms')`;
};
