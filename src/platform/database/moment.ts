import sql, { type Sql } from 'sql-template-tag';
import { Shared } from './prepared.ts';

/** The moment of a statement, as the clock of the program has it: a timestamptz. */
export const moment = (clockOffsetMs: number): Sql =>
  sql`(now() + ${new Shared(clockOffsetMs)}::float8 * interval '1 ms')`;
