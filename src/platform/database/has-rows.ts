import type { Sql } from 'sql-template-tag';
import type { Db } from './database.ts';
import type { Prepared } from './statement.ts';

/** Whether a statement returns a row. */
export async function hasRows(db: Db, statement: Sql | Prepared): Promise<boolean> {
  const { rows } = await db.query(statement);
  return rows.length > 0;
}
