import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import type { Fault } from '../../platform/errors/fault.ts';
import { notifyTopic } from '../../tenants/watched-topics.ts';
import { totalOf } from '../queries.ts';
import { type ContactFilter, passes } from '../searching/contact-filter.ts';
import type { Assignment } from './assign-queries.ts';

/** The change of each contact. */
export type BulkChange = Assignment | { delete: true };

/** Whether a change deletes. An assignment can have any further field, also `"delete": false`. */
export function isDeletion(change: BulkChange): change is { delete: true } {
  return 'delete' in change && change.delete;
}

export type BulkRow = {
  id: number;
  state: 'running' | 'done' | 'stopped' | 'failed';
  problem: string | null;
  problem_says: Fault | null;
  deletes: boolean;
  /** The number of the tenant's contacts at the start, how many were checked, and how many changed. */
  contacts: number;
  looked_at: number;
  changed: number;
  started_at: Date;
};

const columns = sql`id, state, problem, problem_says, change @> '{"delete": true}' as deletes, contacts, looked_at, changed,
  started_at`;

const toWatchers: Sql = notifyTopic('bulk_changes', sql`contact_bulk_changes.tenant_id`);

/** Replaces the filter of a change that has ended: its search text may be a name or phone. */
const noFilter = sql`'{}'`;

/** Starts a change of all contacts that exist now; undefined while another one is running. */
export async function insertBulk(
  db: Db,
  tenantId: number,
  filter: ContactFilter,
  change: BulkChange,
): Promise<BulkRow | undefined> {
  const { rows } = await db.query<BulkRow>(sql`
    insert into contact_bulk_changes (tenant_id, filter, change, up_to_id, contacts)
    select ${tenantId}, ${JSON.stringify(filter)}, ${JSON.stringify(change)},
           coalesce((select max(id) from contacts where tenant_id = ${tenantId}), 0),
           (${totalOf(tenantId)})
    on conflict (tenant_id) where state = 'running' do nothing
    returning ${columns}`);
  return rows[0];
}

/** Lists the latest bulk changes, the newest first. */
export async function listBulks(db: Db, tenantId: number, limit: number): Promise<BulkRow[]> {
  const { rows } = await db.query<BulkRow>(sql`
    select ${columns} from contact_bulk_changes
    where tenant_id = ${tenantId} order by id desc limit ${limit}`);
  return rows;
}

export async function runningBulks(db: Db): Promise<{ tenant_id: number; id: number }[]> {
  const { rows } = await db.query<{ tenant_id: number; id: number }>(sql`
    select tenant_id, id from contact_bulk_changes where state = 'running' order by id`);
  return rows;
}

export type BulkWork = {
  filter: ContactFilter;
  change: BulkChange;
  after_id: number;
  up_to_id: number;
};

/** Locks a bulk change for its next step; undefined if another process has locked it or it has ended. */
export async function lockBulk(
  tx: Db,
  tenantId: number,
  id: number,
): Promise<BulkWork | undefined> {
  const { rows } = await tx.query<BulkWork>(sql`
    select filter, change, after_id, up_to_id from contact_bulk_changes
    where tenant_id = ${tenantId} and id = ${id} and state = 'running'
    for update skip locked`);
  return rows[0];
}

/** Contacts checked by one statement. With a search, this computes the text of each. */
const maxChecked = 2_000;

export type BulkStep = {
  /** The contacts that pass the filter, locked. */
  ids: number[];
  checked: number;
  /** The id of the last contact that was checked. */
  afterId: number;
  isLast: boolean;
};

/**
 * Checks the next contacts in the order of their ids, and locks those that pass the filter now. Each step costs the
 * same, however far the change is.
 */
export async function takeMatching(
  tx: Db,
  tenantId: number,
  { filter, after_id: after, up_to_id: upTo }: BulkWork,
  limit: number,
): Promise<BulkStep> {
  const { rows } = await tx.query<{ ids: number[]; looked_at: number; last: number | null }>(sql`
    with page as materialized (
      select id from contacts
      where tenant_id = ${tenantId} and id > ${after} and id <= ${upTo}
      order by id limit ${maxChecked}
    ), matching as materialized (
      select contacts.id from page
      join contacts on contacts.id = page.id and ${passes(tenantId, filter)}
      order by page.id limit ${limit}
    ), locked as materialized (
      -- Checked again, because another transaction may have changed a contact until the lock was free.
      select contacts.id from contacts
      where contacts.id = any(array(select id from matching)) and ${passes(tenantId, filter)}
      order by contacts.id
      for no key update
    ), reached as (
      select case when count(*) = ${limit} then max(id) else (select max(id) from page) end as id
      from matching
    )
    select array(select id from locked) as ids, reached.id as last,
           (select count(*) from page where page.id <= reached.id) as looked_at
    from reached`);
  const { ids, last, looked_at: checked } = rows[0]!;
  return { ids: ids.map(Number), checked, afterId: last ?? upTo, isLast: last === null };
}

export async function recordBulkStep(
  tx: Db,
  tenantId: number,
  id: number,
  { checked, afterId, changed, isLast }: BulkStep & { changed: number },
): Promise<void> {
  await tx.query(sql`
    update contact_bulk_changes set
      after_id = ${afterId}, looked_at = looked_at + ${checked}, changed = changed + ${changed},
      state = ${isLast ? 'done' : 'running'}, ended_at = case when ${isLast} then now() end,
      filter = case when ${isLast} then ${noFilter} else filter end
    where tenant_id = ${tenantId} and id = ${id}
    returning ${toWatchers}`);
}

/** Ends a running bulk change. Contacts that were already changed stay so. */
export async function endBulk(
  db: Db,
  tenantId: number,
  id: number,
  state: 'stopped' | 'failed',
  problem: Fault | null = null,
): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update contact_bulk_changes set state = ${state}, problem = ${problem?.text ?? null},
      problem_says = ${problem && JSON.stringify(problem)}, ended_at = now(), filter = ${noFilter}
    where tenant_id = ${tenantId} and id = ${id} and state = 'running'
    returning ${toWatchers}`);
  return rowCount === 1;
}

/** Deletes bulk changes that ended before the retention time. */
export async function deleteOldBulks(db: Db, retentionDays: number): Promise<void> {
  await db.query(sql`
    delete from contact_bulk_changes where ended_at < now() - ${retentionDays} * interval '1 day'`);
}
