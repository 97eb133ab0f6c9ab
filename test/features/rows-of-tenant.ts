import { notOfTenants } from '../../src/backup/format.ts';
import { describeTables } from '../../src/backup/tables/describe-tables.ts';
import { sealedColumns } from '../../src/backup/tables/sealed-columns.ts';
import type { TestApp } from '../program/app.ts';

/** Depend on which messages an installation has counted. The overview shows their sum. */
const countedHere = ['message_outcomes', 'message_outcome_changes'];

/** Reads every row of a tenant, by table, without values that depend on its id and the master key. */
export async function rowsOfTenant(
  { db }: Pick<TestApp, 'db'>,
  slug: string,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name, columns } of await describeTables(db.pool)) {
    if (Object.hasOwn(notOfTenants, name) || countedHere.includes(name)) continue;
    const isSealed = (column: string) =>
      sealedColumns.some((each) => each.table === name && each.column === column);
    const kept = columns.filter(
      (column) => !['tenant_id', 'fingerprint'].includes(column) && !isSealed(column),
    );
    const { rows } = await db.pool.query<{ text: string }>(
      `select row(${kept.join(', ')})::text as text from ${name}
       where tenant_id = (select id from tenants where slug = $1) order by 1`,
      [slug],
    );
    if (rows.length > 0) found[name] = rows.map(({ text }) => text);
  }
  return found;
}
