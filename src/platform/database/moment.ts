import sql, { type Sql } from 'sql-template-tag';

/** The moment of a statement, as the clock of the program has it: a timestamptz. */
export const moment = (clockOffsetMs: number): Sql =>
  sql`(now() + ${clockOffsetMs}::float8 * interval '1 ms')`;
