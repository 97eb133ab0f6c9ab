import sql, { join, raw } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';
import { statement } from '../platform/database/statement.ts';
import type { Plan } from './plans.ts';
import type { Region } from './region.ts';
import type { Ability } from './tokens/abilities.ts';

export type Tenant = {
  id: number;
  slug: string;
  name: string;
  plan: Plan;
  api_access: boolean;
  /** Whether a message from an unknown phone creates a contact. */
  contacts_from_inbound: boolean;
  /** How many days the files of inbound messages are kept; 0 if they are not. */
  keep_files_days: number;
  /** How many days messages are kept, unless the setting is shorter; null for the setting. */
  message_retention_days: number | null;
  created_at: Date;
} & Region;

export type CallerRow = {
  tenant_id: number | null;
  plan: Plan;
  api_access: boolean;
  log_bodies_until: Date | null;
  token_id: number | null;
  /** Whether the token exists and is not active yet. */
  pending: boolean;
  abilities: Ability[];
};

/** Finds tenant and token of many requests, in their order; missing ones are null. */
export async function findCallers(
  db: Db,
  asked: { slug: string; tokenHash: Buffer }[],
): Promise<CallerRow[]> {
  const { rows } = await db.query<CallerRow>(
    statement(
      'find-callers',
      sql`
        select t.id as tenant_id, t.plan, t.api_access, t.log_bodies_until,
               k.id as token_id, k.abilities,
               k.id is not null and k.activated_at is null as pending
        from ${rowsOf('asked', asked, {
          slug: ['text', ({ slug }) => slug],
          hash: ['bytea', ({ tokenHash }) => tokenHash],
          position: ['int', (_, index) => index + 1],
        })}
        left join tenants t on t.slug = asked.slug
        left join tokens k on k.tenant_id = t.id and k.hash = asked.hash
          and k.revoked_at is null
          and (k.expires_at is null
               or k.expires_at > now())
        order by asked.position`,
    ),
  );
  return rows;
}

/** Draws the next number of a tenant of this installation, whatever its cell is called. */
export async function drawTenantNumber(db: Db): Promise<number> {
  const { rows } = await db.query<{ number: number }>(
    sql`select nextval(pg_get_serial_sequence('tenants', 'id')) as number`,
  );
  return rows[0]!.number;
}

/** Inserts a tenant; undefined if its slug or its id is taken. */
export async function insertTenant(
  db: Db,
  { id, slug, name, plan }: { id: number; slug: string; name: string; plan: Plan },
): Promise<Tenant | undefined> {
  const { rows } = await db.query<Tenant>(sql`
    insert into tenants (id, slug, name, plan) overriding system value
    values (${id}, ${slug}, ${name}, ${plan})
    on conflict do nothing
    returning *`);
  return rows[0];
}

export async function findTenant(db: Db, slug: string): Promise<Tenant | undefined> {
  const { rows } = await db.query<Tenant>(sql`select * from tenants where slug = ${slug}`);
  return rows[0];
}

export async function listTenants(db: Db): Promise<Tenant[]> {
  const { rows } = await db.query<Tenant>(sql`select * from tenants order by slug`);
  return rows;
}

/** The columns that can be changed of a tenant. */
export const settingColumns = [
  'plan',
  'name',
  'api_access',
  'contacts_from_inbound',
  'keep_files_days',
  'message_retention_days',
  'locale',
  'time_zone',
] as const;

export type TenantChange = Partial<Pick<Tenant, (typeof settingColumns)[number]>>;

/** Changes the given columns of a tenant. */
export async function updateTenant(
  db: Db,
  tenantId: number,
  change: TenantChange,
): Promise<Tenant | undefined> {
  const given = settingColumns.filter((column) => change[column] !== undefined);
  const { rows } = await db.query<Tenant>(sql`
    update tenants set ${join([
      sql`slug = slug`,
      ...given.map((column) => sql`${raw(column)} = ${change[column]}`),
    ])}
    where id = ${tenantId} returning *`);
  return rows[0];
}

/** Finds a tenant, and locks it until the end of the transaction. */
export async function lockTenant(tx: Db, tenantId: number): Promise<Tenant | undefined> {
  const { rows } = await tx.query<Tenant>(sql`
    select * from tenants where id = ${tenantId} for no key update`);
  return rows[0];
}

/** Deletes the tenant, and by cascade everything that it still owns. */
export async function deleteTenantRow(db: Db, tenantId: number): Promise<void> {
  await db.query(sql`delete from tenants where id = ${tenantId}`);
}

/**
 * Deletes rows of the tenant from a table.
 *
 * @returns the number of deleted rows; less than `max` if there are no more
 */
export async function deleteRows(
  db: Db,
  tenantId: number,
  table: string,
  max: number,
): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from ${raw(table)}
    where ctid = any(array(
      select ctid from ${raw(table)} where tenant_id = ${tenantId} limit ${max}))`);
  return rowCount ?? 0;
}
