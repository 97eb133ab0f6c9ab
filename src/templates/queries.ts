import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';
import { statement } from '../platform/database/statement.ts';
import type { NetworkTemplate } from '../whatsapp/list-templates.ts';
import type { TemplateComponent } from './components.ts';

export type TemplateRow = {
  id: number;
  business_account_id: string;
  network_id: string;
  name: string;
  language: string;
  status: string;
  category: string;
  parameter_format: 'POSITIONAL' | 'NAMED';
  components: TemplateComponent[];
};

const columns: Sql = sql`id, business_account_id, network_id, name, language, status, category,
  parameter_format, components`;

/** The templates of one business account in the order of their names, or those of one status. */
export async function listTemplates(
  db: Db,
  tenantId: number,
  businessAccountId: string,
  status?: string,
): Promise<TemplateRow[]> {
  const { rows } = await db.query<TemplateRow>(sql`
    select ${columns} from templates
    where tenant_id = ${tenantId} and business_account_id = ${businessAccountId}
      and (${status ?? null}::text is null or status = ${status ?? null})
    order by name, language`);
  return rows;
}

/** A template in every language and state it exists in. */
export async function findTemplatesByName(
  db: Db,
  tenantId: number,
  businessAccountId: string,
  name: string,
): Promise<TemplateRow[]> {
  const { rows } = await db.query<TemplateRow>(
    statement(
      'find-templates-by-name',
      sql`
        select ${columns} from templates
        where tenant_id = ${tenantId} and business_account_id = ${businessAccountId}
          and name = ${name}
        order by language`,
    ),
  );
  return rows;
}

/**
 * Stores a part of a list of an account's templates. What a list asked for later has written stays, so
 * lists may overtake each other.
 */
export async function storeTemplates(
  db: Db,
  tenantId: number,
  businessAccountId: string,
  listed: { templates: NetworkTemplate[]; askedAt: Date },
): Promise<void> {
  const { templates, askedAt } = listed;
  await db.query(sql`
    insert into templates as kept (tenant_id, business_account_id, network_id, name, language,
                                   status, category, parameter_format, components, listed_at)
    select distinct on (name, language)
           ${tenantId}::bigint, ${businessAccountId}::text, network_id, name, language,
           status, category, parameter_format, components::jsonb, ${askedAt}::timestamptz
    from ${rowsOf('listed', templates, {
      network_id: ['text', ({ networkId }) => networkId],
      name: ['text', ({ name }) => name],
      language: ['text', ({ language }) => language],
      status: ['text', ({ status }) => status],
      category: ['text', ({ category }) => category],
      parameter_format: ['text', ({ parameterFormat }) => parameterFormat],
      components: ['text', (each) => JSON.stringify(each.components)],
    })}
    order by name, language
    on conflict (tenant_id, business_account_id, name, language) do update set
      network_id = excluded.network_id, status = excluded.status, category = excluded.category,
      parameter_format = excluded.parameter_format, components = excluded.components,
      listed_at = excluded.listed_at
    where kept.listed_at <= excluded.listed_at`);
}

/** Lets go what is not on a list, once all of that is stored. */
export async function forgetUnlisted(
  db: Db,
  tenantId: number,
  businessAccountId: string,
  askedAt: Date,
): Promise<void> {
  await db.query(sql`
    delete from templates
    where tenant_id = ${tenantId} and business_account_id = ${businessAccountId}
      and listed_at < ${askedAt}`);
}

/** Takes over a status that the network reported of one template. */
export async function setTemplateStatus(
  db: Db,
  tenantId: number,
  template: { businessAccountId: string; name: string; language: string; status: string },
): Promise<void> {
  await db.query(sql`
    update templates set status = ${template.status}
    where tenant_id = ${tenantId} and business_account_id = ${template.businessAccountId}
      and name = ${template.name} and language = ${template.language}`);
}

/**
 * Takes one tenant whose templates are due to be fetched. They are due again when the lease ends, in
 * case the sync does not; a request that comes during the sync makes them due at once.
 */
export async function takeDueSync(
  db: Db,
  leaseSeconds: number,
): Promise<{ tenant_id: number; due_at: string } | undefined> {
  const { rows } = await db.query<{ tenant_id: number; due_at: string }>(sql`
    update template_syncs set due_at = now() + ${leaseSeconds}::float8 * interval '1 second'
    where tenant_id = (
      select tenant_id from template_syncs where due_at <= now()
      order by due_at limit 1 for update skip locked)
    returning tenant_id, due_at::text`);
  return rows[0];
}

/** Says when the next sync is due after one that was taken, unless another was asked for meanwhile. */
export async function planNextSync(
  db: Db,
  taken: { tenant_id: number; due_at: string },
  seconds: number,
): Promise<void> {
  await db.query(sql`
    update template_syncs set due_at = now() + ${seconds}::float8 * interval '1 second'
    where tenant_id = ${taken.tenant_id} and due_at = ${taken.due_at}::timestamptz`);
}

/** Notes how a sync ended; a failed one is due again sooner. */
export async function noteSync(
  db: Db,
  tenantId: number,
  problem: string | null,
  retrySeconds: number,
): Promise<void> {
  await db.query(sql`
    insert into template_syncs (tenant_id, due_at, synced_at, problem)
    values (${tenantId}, now() + ${retrySeconds}::float8 * interval '1 second',
            case when ${problem}::text is null then now() end, ${problem})
    on conflict (tenant_id) do update set
      synced_at = coalesce(excluded.synced_at, template_syncs.synced_at),
      problem = excluded.problem,
      due_at = case when excluded.problem is null then template_syncs.due_at
        else least(template_syncs.due_at, excluded.due_at) end`);
}

/** When the templates of a tenant were last fetched, and what was wrong at the last try. */
export async function findSync(
  db: Db,
  tenantId: number,
): Promise<{ synced_at: Date | null; problem: string | null } | undefined> {
  const { rows } = await db.query<{ synced_at: Date | null; problem: string | null }>(sql`
    select synced_at, problem from template_syncs where tenant_id = ${tenantId}`);
  return rows[0];
}
