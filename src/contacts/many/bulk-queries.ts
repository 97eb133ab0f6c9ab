import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { totalOf } from '../queries.ts';
import { type ContactFilter, passes } from '../searching/contact-filter.ts';
import type { Assignment } from './assign-queries.ts';

/** What is done to each contact. */
export type BulkChange = Assignment | { delete: true };

export type BulkRow = {
  id: number;
  state: 'running' | 'done' | 'stopped' | 'failed';
  problem: string | null;
  deletes: boolean;
  /** The tenant's contacts when it began, how many of them were looked at, and how many changed. */
  contacts: number;
  looked_at: number;
  changed: number;
  started_at: Date;
};

const columns = sql`id, state, problem, change ? 'delete' as deletes, contacts, looked_at, changed,
  started_at`;

/** Begins a change of all contacts that are there now; undefined while another one runs. */
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

/** The latest ones, newest first. */
export async function listBulks(db: Db, tenantId: number, most: number): Promise<BulkRow[]> {
  const { rows } = await db.query<BulkRow>(sql`
    select ${columns} from contact_bulk_changes
    where tenant_id = ${tenantId} order by id desc limit ${most}`);
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

/** For whoever does the next step in this transaction; undefined while somebody else does, or ended. */
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

/** Contacts looked at in one statement: with a search, a text is made of each. */
const lookedAtOnce = 2_000;

export type BulkStep = {
  /** The contacts that pass the filter, locked. */
  ids: number[];
  lookedAt: number;
  /** The id of the last contact that was looked at. */
  afterId: number;
  isLast: boolean;
};

/**
 * Looks at the next contacts in the order of their ids, and locks those that pass the filter at this
 * moment, so that the walk costs the same wherever it is.
 */
export async function takeMatching(
  tx: Db,
  tenantId: number,
  { filter, after_id: after, up_to_id: upTo }: BulkWork,
  most: number,
): Promise<BulkStep> {
  const { rows } = await tx.query<{ ids: number[]; looked_at: number; last: number | null }>(sql`
    with page as materialized (
      select id from contacts
      where tenant_id = ${tenantId} and id > ${after} and id <= ${upTo}
      order by id limit ${lookedAtOnce}
    ), matching as materialized (
      select contacts.id from page
      cross join lateral (
        select contacts.id from contacts
        where contacts.id = page.id and ${passes(tenantId, filter)}
        for no key update
      ) as contacts
      order by page.id limit ${most}
    ), reached as (
      select case when count(*) = ${most} then max(id) else (select max(id) from page) end as id
      from matching
    )
    select array(select id from matching) as ids, reached.id as last,
           (select count(*) from page where page.id <= reached.id) as looked_at
    from reached`);
  const { ids, last, looked_at: lookedAt } = rows[0]!;
  return { ids: ids.map(Number), lookedAt, afterId: last ?? upTo, isLast: last === null };
}

export async function noteBulkStep(
  tx: Db,
  tenantId: number,
  id: number,
  { lookedAt, afterId, changed, isLast }: BulkStep & { changed: number },
): Promise<void> {
  await tx.query(sql`
    update contact_bulk_changes set
      after_id = ${afterId}, looked_at = looked_at + ${lookedAt}, changed = changed + ${changed},
      state = ${isLast ? 'done' : 'running'}, ended_at = case when ${isLast} then now() end
    where tenant_id = ${tenantId} and id = ${id}`);
}

/** What is done stays done. */
export async function endBulk(
  db: Db,
  tenantId: number,
  id: number,
  state: 'stopped' | 'failed',
  problem: string | null = null,
): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update contact_bulk_changes set state = ${state}, problem = ${problem}, ended_at = now()
    where tenant_id = ${tenantId} and id = ${id} and state = 'running'`);
  return rowCount === 1;
}

/** Forgets changes that ended longer ago. */
export async function deleteOldBulks(db: Db, keptDays: number): Promise<void> {
  await db.query(sql`
    delete from contact_bulk_changes where ended_at < now() - ${keptDays} * interval '1 day'`);
}
