import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../../platform/database/database.ts';
import { type Fault, fault, joined } from '../../../platform/errors/fault.ts';
import { cutText } from '../../../platform/values/texts/cut-text.ts';
import { notifyTopic } from '../../../tenants/watched-topics.ts';
import type { ReadColumn } from '../csv/read-contacts-csv.ts';
import { type ImportResult, importedStays } from './import-contacts.ts';
import { type StoredRow, storedJson } from './refused-row.ts';
import type { MissingLabel } from './row-labels.ts';

export type ImportRow = {
  id: number;
  filename: string;
  bytes: number;
  bytes_read: number;
  state: 'running' | 'done' | 'failed';
  problem: string | null;
  problem_says: Fault | null;
  created: number;
  updated: number;
  unchanged: number;
  refused: number;
  ignored_columns: string[];
  missing_labels: MissingLabel[];
  same_phone: number;
  /** The rows that could be imported; null if the import did more than check the file. */
  checked_rows: number | null;
  read_columns: ReadColumn[];
  has_report: boolean;
  started_at: Date;
};

/** An earlier release stored neither columns nor labels. */
const outcome: Sql = sql`created, updated, unchanged, refused, coalesce(same_phone, 0) as same_phone,
  checked_rows, coalesce(read_columns, '[]') as read_columns,
  coalesce(ignored_columns, '[]') as ignored_columns, coalesce(missing_labels, '[]') as missing_labels,
  report is not null as has_report`;

const columns: Sql = sql`id, filename, bytes, bytes_read, state, problem, problem_says, ${outcome}, started_at`;

const toWatchers: Sql = notifyTopic('imports', sql`contact_imports.tenant_id`);

/** An import without a heartbeat for this long counts as cut off. */
const silentFor: Sql = sql`interval '30 seconds'`;

const cutOff = joined([fault('import_cut_off', 'The import was cut off.'), importedStays])!;

/** Stored imports per tenant. The report of each can have megabytes. */
const maxStored = 20;

/**
 * Claims the one running import that a tenant can have, before its file is read.
 *
 * @param bytes as the client announced them
 * @returns undefined while another import of the tenant is running
 */
export async function claimImport(
  db: Db,
  tenantId: number,
  { filename, bytes }: { filename: string; bytes: number },
): Promise<{ id: number } | undefined> {
  await db.query(sql`
    update contact_imports set state = 'failed', problem = ${cutOff.text},
      problem_says = ${JSON.stringify(cutOff)}
    where tenant_id = ${tenantId} and state = 'running' and heard_at < now() - ${silentFor}`);
  const { rows } = await db.query<{ id: number }>(sql`
    insert into contact_imports (tenant_id, filename, bytes)
    values (${tenantId}, ${filename}, ${bytes})
    on conflict (tenant_id) where state = 'running' do nothing
    returning id, ${toWatchers}`);
  return rows[0];
}

/** Removes an import whose file did not arrive. */
export async function withdrawImport(db: Db, tenantId: number, id: number): Promise<void> {
  await db.query(sql`
    delete from contact_imports where tenant_id = ${tenantId} and id = ${id} and state = 'running'
    returning ${toWatchers}`);
}

/**
 * Starts an import whose file has arrived, and deletes the oldest imports beyond `maxStored`.
 *
 * @returns undefined if it has been marked as cut off meanwhile
 */
export async function beginImport(
  db: Db,
  tenantId: number,
  id: number,
  bytes: number,
): Promise<ImportRow | undefined> {
  const { rows } = await db.query<ImportRow>(sql`
    update contact_imports set bytes = ${bytes}, heard_at = now()
    where tenant_id = ${tenantId} and id = ${id} and state = 'running'
    returning ${columns}`);
  if (rows[0]) {
    await db.query(sql`
      delete from contact_imports where tenant_id = ${tenantId} and id <= (
        select id from contact_imports where tenant_id = ${tenantId}
        order by id desc limit 1 offset ${maxStored})`);
  }
  return rows[0];
}

/** Finds those of some imports, of any tenant, that a process is working on. */
export async function findLiveImports(db: Db, ids: number[]): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(sql`
    select id from contact_imports
    where id = any(${ids}::bigint[]) and state = 'running' and heard_at >= now() - ${silentFor}`);
  return rows.map((row) => row.id);
}

export async function recordImportProgress(
  db: Db,
  tenantId: number,
  id: number,
  bytesRead: number,
): Promise<void> {
  await db.query(sql`
    update contact_imports set bytes_read = ${bytesRead}, heard_at = now()
    where tenant_id = ${tenantId} and id = ${id} and state = 'running'
    returning ${toWatchers}`);
}

export async function endImport(
  db: Db,
  tenantId: number,
  id: number,
  end:
    | {
        result: ImportResult;
        onlyCheck: boolean;
        report: string | null;
        refusedRows: StoredRow[];
      }
    | { problem: Fault },
): Promise<void> {
  await db.query(
    'problem' in end
      ? sql`update contact_imports set state = 'failed', problem = ${end.problem.text},
              problem_says = ${JSON.stringify(end.problem)}
            where tenant_id = ${tenantId} and id = ${id} returning ${toWatchers}`
      : sql`update contact_imports set state = 'done', bytes_read = bytes,
              created = ${end.result.created}, updated = ${end.result.updated},
              unchanged = ${end.result.unchanged}, refused = ${end.result.refused},
              same_phone = ${end.result.samePhone},
              ignored_columns = ${storedJson(shown(end.result.ignoredColumns))},
              missing_labels = ${storedJson(end.result.missingLabels)},
              checked_rows = ${end.onlyCheck ? end.result.accepted : null},
              read_columns = ${end.onlyCheck ? storedJson(readColumns(end.result)) : null},
              report = ${end.report}, refused_rows = ${storedJson(end.refusedRows)}
            where tenant_id = ${tenantId} and id = ${id} returning ${toWatchers}`,
  );
}

/** Limits what is stored of a row of headings, which can have megabytes. */
function shown(ignoredColumns: string[]): string[] {
  return ignoredColumns.slice(0, 100).map((each) => cutText(each, 100));
}

/** The values of the first row are personal, so they are not stored. */
function readColumns({ columns }: ImportResult): ReadColumn[] {
  return columns
    .slice(0, 100)
    .map(({ heading, column }) => ({ heading: cutText(heading, 100), column }));
}

/** Lists the latest imports. One that was cut off is shown as failed. */
export async function listImports(db: Db, tenantId: number, max: number): Promise<ImportRow[]> {
  const { rows } = await db.query<ImportRow>(sql`
    select id, filename, bytes, bytes_read, ${outcome}, started_at,
           case when cut_off then 'failed' else state end as state,
           case when cut_off then ${cutOff.text} else problem end as problem,
           case when cut_off then ${JSON.stringify(cutOff)}::jsonb else problem_says end as problem_says
    from contact_imports
    cross join lateral (
      select state = 'running' and heard_at < now() - ${silentFor} as cut_off
    ) as known
    where tenant_id = ${tenantId} order by id desc limit ${max}`);
  return rows;
}

export async function findImportReport(
  db: Db,
  tenantId: number,
  id: number,
): Promise<{ filename: string; report: string } | undefined> {
  const { rows } = await db.query<{ filename: string; report: string }>(sql`
    select filename, report from contact_imports
    where tenant_id = ${tenantId} and id = ${id} and report is not null`);
  return rows[0];
}

/** Finds the first refused rows of an import. An earlier release stored none. */
export async function findRefusedRows(
  db: Db,
  tenantId: number,
  id: number,
): Promise<StoredRow[] | undefined> {
  const { rows } = await db.query<{ refused_rows: StoredRow[] }>(sql`
    select coalesce(refused_rows, '[]') as refused_rows from contact_imports
    where tenant_id = ${tenantId} and id = ${id}`);
  return rows[0]?.refused_rows;
}

/** Deletes imports, with their reports, whose last heartbeat is older. */
export async function deleteOldImports(db: Db, retentionDays: number): Promise<void> {
  await db.query(sql`
    delete from contact_imports where heard_at < now() - ${retentionDays} * interval '1 day'`);
}
