import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';

/** Estimates the rows of all tables from PostgreSQL's statistics, to show progress. */
export async function estimateRows(db: Db): Promise<number> {
  const { rows } = await db.query<{ rows: number }>(sql`
    select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as rows from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace`);
  return rows[0]!.rows;
}
