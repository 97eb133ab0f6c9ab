import sql, { join, raw } from 'sql-template-tag';
import type { Db } from '../database/database.ts';
import { rowsOf } from '../database/rows-of.ts';
import { statement } from '../database/statement.ts';

/** A row of a queue that this process has claimed. `attempts` rises with each claim. */
type Claimed = { tenant_id: number; attempts: number };

/** A table whose rows are claimed by their `due_at`, with the columns of its primary key after `tenant_id`. */
export type Queue<Row> = { table: string; key: readonly (keyof Row & string)[] };

/** Extends the leases of rows to `leaseMs` from now. Rows that another process has claimed are left alone. */
export async function renewLeases<Row extends Claimed>(
  db: Db,
  { table, key }: Queue<Row>,
  held: readonly Row[],
  { leaseMs }: { leaseMs: number },
): Promise<void> {
  const columns = ['tenant_id', ...key, 'attempts'] as const;
  const isSame = columns.map((column) => raw(`${table}.${column} = held.${column}`));
  await db.query(
    statement(
      `renew-${table}`,
      sql`
        with held as (
          select * from ${rowsOf('held', held, {
            tenant_id: ['bigint', (row) => row.tenant_id],
            ...Object.fromEntries(
              key.map((column) => [column, ['bigint', (row: Row) => row[column]]]),
            ),
            attempts: ['int', (row) => row.attempts],
          })}
        )
        update ${raw(table)}
        -- With a condition, PostgreSQL might scan the index of all waiting rows.
        set due_at = case when due_at is not null then
          greatest(due_at, now() + ${leaseMs}::float8 * interval '1 ms') end
        from held
        where ${join(isSame, ' and ')}`,
    ),
  );
}
