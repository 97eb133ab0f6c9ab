import type pg from 'pg';
import { expect } from 'vitest';
import type { Database } from '../../src/platform/database/database.ts';

type PlanNode = Record<string, unknown> & { 'Relation Name'?: string; Plans?: PlanNode[] };

/** Statements of one tenant that read a table of tenants without the tenant, each with its reason. */
const exceptions: Record<string, string> = {
  'where ctid = any(array( select ctid from': 'the select finds rows of the tenant only',
};

/** Statements that were found restricted, for all test files of this worker: most files run the same ones. */
const restricted = new Set<string>();

/**
 * Checks that each statement of one tenant, which is one that has `tenant_id = $n`, restricts every table of
 * tenants that it reads to a tenant. PostgreSQL's plan decides: it follows the tenant through joins.
 */
export async function checkTenants({ pool }: Database, texts: Iterable<string>): Promise<void> {
  const unchecked = [...texts].filter(
    // A test may explain a statement of the service.
    (text) =>
      /\btenant_id = \$\d/.test(text) && !/^\s*explain\b/.test(text) && !restricted.has(text),
  );
  if (unchecked.length === 0) return;
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ name: string; version: number }>(
      `select relname as name, current_setting('server_version_num')::int as version
       from pg_class join pg_attribute on attrelid = pg_class.oid
       where attname = 'tenant_id' and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
    );
    // EXPLAIN without values came with PostgreSQL 16.
    if (rows[0]!.version < 160_000) return;
    const tables = new Set(rows.map(({ name }) => name));
    const found = new Set<string>();
    for (const text of unchecked) {
      for (const table of unrestricted(await planOf(client, text), tables)) {
        const line = `${table}: ${text.replace(/\s+/g, ' ').trim()}`;
        if (!Object.keys(exceptions).some((part) => line.includes(part))) found.add(line);
      }
    }
    expect([...found]).toEqual([]);
    for (const text of unchecked) restricted.add(text);
  } finally {
    client.release();
  }
}

async function planOf(client: pg.PoolClient, text: string): Promise<PlanNode> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (generic_plan, format json) ${text}`,
  );
  return rows[0]!['QUERY PLAN'][0].Plan;
}

/**
 * Names the tables of tenants that a plan scans without a condition on the tenant.
 *
 * @param joins the conditions of the joins above, which restrict a table that is scanned as a whole
 */
function unrestricted(node: PlanNode, tables: Set<string>, joins = ''): string[] {
  const join = ['Hash Cond', 'Merge Cond', 'Join Filter'].map((each) => node[each]).join(' ');
  const table = node['Relation Name'];
  const isScan = table !== undefined && String(node['Node Type']).endsWith('Scan');
  const conditions = ['Index Cond', 'Recheck Cond', 'Filter', 'TID Cond'].map((each) => node[each]);
  const found = (node.Plans ?? []).flatMap((each) => unrestricted(each, tables, joins + join));
  const isRestricted =
    conditions.join(' ').includes('tenant_id') || joins.includes(`${node.Alias}.tenant_id`);
  if (isScan && tables.has(table) && !isRestricted) found.push(table);
  return found;
}
