import sql, { type Sql } from 'sql-template-tag';
import { recordedChanges } from '../../events/record-state-events.ts';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import type { Fault } from '../../platform/errors/fault.ts';
import { isHeld } from '../../platform/jobs/is-held.ts';
import type { NetworkTemplate } from '../../whatsapp/list-templates.ts';

/**
 * Stores one page of an account's templates. Rows of a list that was requested later stay, so
 * concurrent lists may finish in any order.
 */
export async function storeTemplates(
  db: Db,
  tenantId: number,
  businessAccountId: string,
  listed: { templates: NetworkTemplate[]; askedAt: Date },
): Promise<void> {
  const { templates, askedAt } = listed;
  await db.query(sql`
    with listed as (
      select distinct on (name, language) *
      from ${rowsOf('given', templates, {
        network_id: ['text', ({ networkId }) => networkId],
        name: ['text', ({ name }) => name],
        language: ['text', ({ language }) => language],
        status: ['text', ({ status }) => status],
        category: ['text', ({ category }) => category],
        parameter_format: ['text', ({ parameterFormat }) => parameterFormat],
        rejected_reason: ['text', ({ rejectedReason }) => rejectedReason],
        components: ['text', (each) => JSON.stringify(each.components)],
      })}
      order by name, language
    ), before as materialized (
      select templates.id, templates.status
      from listed
      join templates on templates.tenant_id = ${tenantId}
        and templates.business_account_id = ${businessAccountId}
        and templates.name = listed.name and templates.language = listed.language
      order by templates.id for update of templates
    ), stored as (
      insert into templates as stored (tenant_id, business_account_id, network_id, name, language,
                                     status, category, parameter_format, rejected_reason, components,
                                     listed_at)
      select ${tenantId}::bigint, ${businessAccountId}::text, network_id, name, language,
             status, category, parameter_format, rejected_reason, components::jsonb, ${askedAt}::timestamptz
      -- The statuses before are read first.
      from listed cross join (select count(*) from before) as counted
      order by name, language
      on conflict (tenant_id, business_account_id, name, language) do update set
      network_id = excluded.network_id, status = excluded.status, category = excluded.category,
      parameter_format = excluded.parameter_format, rejected_reason = excluded.rejected_reason,
      components = excluded.components, listed_at = excluded.listed_at
      -- A later list is stored already, unless the clock was ahead then.
      where stored.listed_at <= excluded.listed_at or stored.listed_at > now()
      returning *
    ), ${changedStatuses(tenantId)}
    select`);
}

/** Reads the time of the database, by which lists of templates are ordered. */
export async function readTime(db: Db): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>(sql`select now() as now`);
  return rows[0]!.now;
}

/** Deletes the templates that are not on a list, after the whole list is stored. */
export async function deleteUnlisted(
  db: Db,
  tenantId: number,
  businessAccountId: string,
  askedAt: Date,
): Promise<void> {
  await db.query(sql`
    delete from templates
    where tenant_id = ${tenantId} and business_account_id = ${businessAccountId}
      and (listed_at < ${askedAt} or listed_at > now())`);
}

/** Stores the status of a template that the network has reported. */
export async function setTemplateStatus(
  db: Db,
  tenantId: number,
  template: { businessAccountId: string; name: string; language: string; status: string },
): Promise<void> {
  await db.query(sql`
    with before as materialized (
      select id, status from templates
      where tenant_id = ${tenantId} and business_account_id = ${template.businessAccountId}
        and name = ${template.name} and language = ${template.language}
      for update
    ), stored as (
      update templates set status = ${template.status} from before
      where templates.tenant_id = ${tenantId} and templates.id = before.id
      returning templates.*
    ), ${changedStatuses(tenantId)}
    select`);
}

/** CTEs that record the templates of `stored` whose status was another one in `before`. New templates are none. */
const changedStatuses = (tenantId: number): Sql => sql`
  changed as (
    select stored.tenant_id, json_build_object(
             'id', stored.id, 'name', stored.name, 'language', stored.language, 'category', stored.category,
             'business_account_id', stored.business_account_id, 'status', stored.status,
             'previous_status', before.status) as data
    from stored join before on before.id = stored.id
    where before.status <> stored.status
    order by stored.id
  ), ${recordedChanges('template.status_changed', sql`changed`, tenantId)}`;

/**
 * Claims one tenant whose templates are due for a sync. They are due again when the lease expires,
 * in case the sync does not finish. A request during the sync makes them due earlier.
 */
export async function claimDueSync(
  db: Db,
  leaseSeconds: number,
): Promise<{ tenant_id: number; due_at: string } | undefined> {
  const { rows } = await db.query<{ tenant_id: number; due_at: string }>(sql`
    update template_syncs set due_at = now() + ${leaseSeconds}::float8 * interval '1 second'
    where tenant_id = coalesce(
      (select tenant_id from template_syncs where due_at <= now() and not ${isHeld(sql`template_syncs.tenant_id`)}
       order by due_at limit 1 for update skip locked),
      -- Later than any sync is scheduled: the clock was ahead.
      (select tenant_id from template_syncs where due_at > now() + interval '2 days'
         and not ${isHeld(sql`template_syncs.tenant_id`)}
       order by due_at desc limit 1 for update skip locked))
    returning tenant_id, due_at::text`);
  return rows[0];
}

/**
 * Schedules the next sync after a claimed one, unless another was requested in the meantime.
 *
 * @param next `secondsIdle` is for a tenant without messages in the last week
 */
export async function scheduleNextSync(
  db: Db,
  claimed: { tenant_id: number; due_at: string },
  { seconds, secondsIdle }: { seconds: number; secondsIdle: number },
): Promise<void> {
  await db.query(sql`
    update template_syncs set due_at = now() + interval '1 second' * (
      case when coalesce((
        select created_at > now() - interval '7 days' from messages
        where tenant_id = ${claimed.tenant_id} order by id desc limit 1), false)
      then ${seconds}::float8 else ${secondsIdle}::float8 end)
    where tenant_id = ${claimed.tenant_id} and due_at = ${claimed.due_at}::timestamptz`);
}

/** Records the outcome of a sync; after a failure it is due again sooner. */
export async function recordSync(
  db: Db,
  tenantId: number,
  problem: Fault | null,
  retrySeconds: number,
): Promise<void> {
  const text = problem?.text ?? null;
  await db.query(sql`
    insert into template_syncs (tenant_id, due_at, synced_at, problem, problem_says)
    values (${tenantId}, now() + ${retrySeconds}::float8 * interval '1 second',
            case when ${text}::text is null then now() end, ${text},
            ${problem && JSON.stringify(problem)})
    on conflict (tenant_id) do update set
      synced_at = coalesce(excluded.synced_at, template_syncs.synced_at),
      problem = excluded.problem,
      problem_says = excluded.problem_says,
      due_at = case when excluded.problem is null then template_syncs.due_at
        else least(template_syncs.due_at, excluded.due_at) end`);
}

type SyncRow = { synced_at: Date | null; problem: string | null; problem_says: Fault | null };

/** Finds when the templates of a tenant were last fetched, and the problem of the last sync. */
export async function findSync(db: Db, tenantId: number): Promise<SyncRow | undefined> {
  const { rows } = await db.query<SyncRow>(sql`
    select synced_at, problem, problem_says from template_syncs where tenant_id = ${tenantId}`);
  return rows[0];
}
