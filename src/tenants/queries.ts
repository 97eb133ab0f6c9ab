import sql, { raw, type Sql } from 'sql-template-tag';
import type { Plan } from '../limits/plans.ts';
import { type Db, prepared } from '../platform/database/database.ts';
import type { Ability } from './abilities.ts';

export type Tenant = {
  id: number;
  slug: string;
  name: string;
  plan: Plan;
  api_access: boolean;
  /** Whether an unknown phone that writes becomes a contact. */
  contacts_from_inbound: boolean;
  created_at: Date;
};

export type TokenRow = {
  id: number;
  name: string;
  hint: string;
  abilities: Ability[];
  created_at: Date;
  activated_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  seen_in_clear_at: Date | null;
};

export type CallerRow = {
  tenant_id: number | null;
  plan: Plan;
  api_access: boolean;
  token_id: number | null;
  abilities: Ability[];
};

/** Tenant and token of many requests at once, in order; absent ones are null. */
export async function findCallers(
  db: Db,
  asked: { slug: string; tokenHash: Buffer }[],
  clockOffsetMs: number,
): Promise<CallerRow[]> {
  const { rows } = await db.query<CallerRow>(
    prepared(
      'find-callers',
      sql`
        select t.id as tenant_id, t.plan, t.api_access,
               k.id as token_id, k.abilities
        from unnest(${asked.map((each) => each.slug)}::text[],
                    ${asked.map((each) => each.tokenHash)}::bytea[])
             with ordinality as asked (slug, hash, position)
        left join tenants t on t.slug = asked.slug
        left join tokens k on k.tenant_id = t.id and k.hash = asked.hash
          and k.activated_at is not null and k.revoked_at is null
          and (k.expires_at is null
               or k.expires_at > now() + ${clockOffsetMs}::float8 * interval '1 ms')
        order by asked.position`,
    ),
  );
  return rows;
}

/** Remembers that the value of a token came over plain HTTP, where others could read it. */
export async function markTokenSeenInClear(db: Db, hash: Buffer): Promise<void> {
  await db.query(sql`
    update tokens set seen_in_clear_at = now() where hash = ${hash} and seen_in_clear_at is null`);
}

export async function insertTenant(
  db: Db,
  tenant: { slug: string; name: string; plan: Plan },
): Promise<Tenant | undefined> {
  const { rows } = await db.query<Tenant>(sql`
    insert into tenants (slug, name, plan) values (${tenant.slug}, ${tenant.name}, ${tenant.plan})
    on conflict (slug) do nothing
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

export async function updateTenant(
  db: Db,
  tenantId: number,
  change: {
    plan?: Plan;
    name?: string;
    api_access?: boolean;
    contacts_from_inbound?: boolean;
  },
): Promise<Tenant | undefined> {
  const { rows } = await db.query<Tenant>(sql`
    update tenants set
      plan = coalesce(${change.plan ?? null}, plan),
      name = coalesce(${change.name ?? null}, name),
      api_access = coalesce(${change.api_access ?? null}, api_access),
      contacts_from_inbound =
        coalesce(${change.contacts_from_inbound ?? null}, contacts_from_inbound)
    where id = ${tenantId} returning *`);
  return rows[0];
}

/** All that the tenant still owns goes with it. */
export async function deleteTenantRow(db: Db, tenantId: number): Promise<void> {
  await db.query(sql`delete from tenants where id = ${tenantId}`);
}

/** @returns how many rows went; fewer than `atMost` when there are no more */
export async function deleteSomeRows(
  db: Db,
  tenantId: number,
  table: string,
  atMost: number,
): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from ${raw(table)}
    where ctid = any(array(
      select ctid from ${raw(table)} where tenant_id = ${tenantId} limit ${atMost}))`);
  return rowCount ?? 0;
}

/** @returns undefined where `most` tokens of the tenant can be used or wait to be */
export async function insertToken(
  db: Db,
  tenantId: number,
  token: {
    name: string;
    hash: Buffer;
    hint: string;
    abilities: Ability[];
    expiresAt: Date | null;
    active: boolean;
  },
  most: number | null,
): Promise<TokenRow | undefined> {
  const { rows } = await db.query<TokenRow>(sql`
    insert into tokens (tenant_id, name, hash, hint, abilities, expires_at, activated_at)
    select ${tenantId}::bigint, ${token.name}, ${token.hash}::bytea, ${token.hint},
           ${token.abilities}::text[], ${token.expiresAt}::timestamptz,
           case when ${token.active}::boolean then now() end
    where ${most}::int is null or (
      select count(*) from tokens where tenant_id = ${tenantId} and ${isUsable}) < ${most}::int
    returning ${tokenColumns}`);
  return rows[0];
}

/** Of those that were revoked or have expired only the latest, as one can make them without end. */
export async function listTokens(db: Db, tenantId: number): Promise<TokenRow[]> {
  const { rows } = await db.query<TokenRow>(sql`
    select ${tokenColumns} from tokens where tenant_id = ${tenantId} and ${isUsable}
    union all (
      select ${tokenColumns} from tokens
      where tenant_id = ${tenantId} and not internal and not (${isUsable})
      order by id desc limit ${mostEndedShown})
    order by id`);
  return rows;
}

export async function revokeToken(
  db: Db,
  tenantId: number,
  tokenId: number,
): Promise<TokenRow | undefined> {
  const { rows } = await db.query<TokenRow>(sql`
    update tokens set revoked_at = coalesce(revoked_at, now())
    where tenant_id = ${tenantId} and id = ${tokenId} and not internal
    returning ${tokenColumns}`);
  return rows[0];
}

/** The tenant's one internal token, made when it is missing. */
export async function ensureInternalToken(
  db: Db,
  tenantId: number,
  { name, hash }: { name: string; hash: Buffer },
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(sql`
    with found as (
      select id from tokens where tenant_id = ${tenantId} and internal
    ), made as (
      insert into tokens (tenant_id, name, hash, hint, abilities, internal)
      select ${tenantId}, ${name}, ${hash}, '', '{}', true
      where not exists (select from found)
      on conflict (tenant_id) where internal do update set internal = true
      returning id
    )
    select id from found union all select id from made`);
  return rows[0]!.id;
}

/** Switches API access, and makes the named pending tokens work. */
export async function saveApiSettings(
  db: Db,
  tenantId: number,
  { apiAccess, activate }: { apiAccess: boolean; activate: number[] },
): Promise<void> {
  await db.query(sql`
    with saved as (
      update tenants set api_access = ${apiAccess} where id = ${tenantId}
    )
    update tokens set activated_at = now()
    where tenant_id = ${tenantId} and id = any(${activate}::bigint[]) and activated_at is null
      and revoked_at is null and not internal`);
}

const mostEndedShown = 200;

const isUsable: Sql = sql`
  not internal and revoked_at is null and (expires_at is null or expires_at > now())`;

const tokenColumns: Sql = sql`id, name, hint, abilities, created_at, activated_at, expires_at,
  revoked_at, last_used_at, seen_in_clear_at`;
