import type pg from 'pg';
import { expect } from 'vitest';
import type { Database } from '../../src/platform/database/database.ts';
import { onEveryConnection } from '../database/every-connection.ts';
import type { Statements } from '../database/record-statements.ts';

type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  Plans?: PlanNode[];
};

/** These read the first item of each tenant, endpoint or store from an index of due items, or all of a small table. */
const walks: Record<string, string> = {
  'find-queues': 'deliveries_due',
  'find-store-queues': 'store_events_due_of_store',
  'claim-answers': 'bot_answers_due',
  'claim-kept-files': 'kept_files_due',
  'find-state-of-deliveries': 'deliveries_due',
  'find-state-of-store_events': 'store_events_due_of_store',
  'find-state-of-bot_answers': 'bot_answers_due',
  'find-state-of-kept_files': 'kept_files_due',
  'expand-batches': 'event_batches',
  'release-left-behind': 'deliveries_in_order',
  'count-outcomes': 'message_walks',
  'read-log': 'event_positions',
};

/**
 * Checks the plans of all batched statements that ran. Each keeps a plan made while its tables were nearly
 * empty, when a scan and every index look the same to PostgreSQL. So each must find its rows by the leading
 * columns of an index, or it reads more and more as its table grows.
 */
export async function checkPlans(db: Database, statements: Statements): Promise<void> {
  const found = new Set<string>();
  const check = async (client: pg.PoolClient) => {
    for (const [name, plan] of await plansOf(client, statements.namesOn(client))) {
      // A statement with several texts has a number after its name.
      const index = walks[name.replace(/-\d+$/, '')];
      for (const node of await scanningNodes(client, plan)) {
        if (!node.startsWith(`${index} `)) found.add(`${name}: ${node}`);
      }
    }
  };
  const { batched, fair, reads } = db;
  for (const pool of [batched, fair, reads.api.batched, reads.dashboard.batched]) {
    await onEveryConnection(pool, check);
  }
  expect([...found]).toEqual([]);
}

async function plansOf(client: pg.PoolClient, names: Set<string>): Promise<[string, PlanNode][]> {
  if (names.size === 0) return [];
  const { rows } = await client.query<{ name: string; parameters: number }>(
    `select name, cardinality(parameter_types) as parameters from pg_prepared_statements
     where name = any($1)`,
    [[...names]],
  );
  const plans: [string, PlanNode][] = [];
  for (const { name, parameters } of rows) {
    const values = parameters > 0 ? `(${Array(parameters).fill('null').join(', ')})` : '';
    const explained = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (format json) execute ${client.escapeIdentifier(name)}${values}`,
    );
    plans.push([name, explained.rows[0]!['QUERY PLAN'][0].Plan]);
  }
  return plans;
}

/**
 * Describes what the plan reads without the leading columns of an index, or filters by an id that the index
 * does not have.
 */
async function scanningNodes(client: pg.PoolClient, node: PlanNode): Promise<string[]> {
  const found: string[] = [];
  if (node['Node Type'] === 'Seq Scan') found.push(`${node['Relation Name']} as a whole`);
  const index = node['Index Name'];
  if (index && !(await isKnownSmall(client, node))) {
    const columns = await columnsOf(client, index);
    const condition = node['Index Cond'] ?? '';
    const used = columns.map((name) => condition.includes(`(${name} `));
    const isLeading = used[0] && used.lastIndexOf(true) === used.filter(Boolean).length - 1;
    // An index of expressions is used for nothing else.
    const isPlain = columns.every((name) => /^[a-z_]+$/.test(name));
    if (isPlain && !isLeading) found.push(`${index} by ${condition || 'nothing'}`);
    const filter = node.Filter ?? '';
    if (/\bid = /.test(filter) && !(await filtersFew(client, node)))
      found.push(`${index} and each of what it finds by ${filter}`);
  }
  for (const each of node.Plans ?? []) found.push(...(await scanningNodes(client, each)));
  return found;
}

/**
 * Whether the node looks for some of a tenant's endpoints by an array of ids. Before version 17, PostgreSQL prefers to
 * read all endpoints of the tenant, which are at most 20.
 */
async function filtersFew(
  client: pg.PoolClient,
  { 'Relation Name': table, 'Index Cond': condition, Filter: filter }: PlanNode,
): Promise<boolean> {
  if ((await versionOf(client)) >= 17) return false;
  return (
    table === 'webhooks' &&
    condition?.startsWith('(tenant_id = ') === true &&
    !/\bid = (?!ANY )/.test(filter ?? '')
  );
}

/**
 * Whether the node reads a table that is known to have few rows, because an index of it was built by a migration or a
 * restore. Before version 18, PostgreSQL then reads all of it. With 20 rows it uses the index again, and autovacuum counts
 * the rows before they are many.
 */
async function isKnownSmall(client: pg.PoolClient, node: PlanNode): Promise<boolean> {
  if ((await versionOf(client)) >= 18) return false;
  const { rows } = await client.query(
    'select from pg_class where oid = $1::regclass and reltuples between 1 and 19',
    [node['Relation Name']],
  );
  return rows.length > 0;
}

let knownVersion: number | undefined;

/** Returns the major version of the server, which is the same for all test files of this worker. */
async function versionOf(client: pg.PoolClient): Promise<number> {
  if (knownVersion === undefined) {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    knownVersion = Number.parseInt(rows[0]!.server_version, 10);
  }
  return knownVersion;
}

/** The columns of indexes, for all test files of this worker. */
const knownColumns = new Map<string, string[]>();

async function columnsOf(client: pg.PoolClient, index: string): Promise<string[]> {
  const known = knownColumns.get(index);
  if (known) return known;
  const { rows } = await client.query<{ name: string }>(
    `select pg_get_indexdef(indexrelid, place, true) as name
     from pg_index, generate_series(1, indnkeyatts) as place
     where indexrelid = $1::regclass order by place`,
    [index],
  );
  const names = rows.map(({ name }) => name);
  knownColumns.set(index, names);
  return names;
}
