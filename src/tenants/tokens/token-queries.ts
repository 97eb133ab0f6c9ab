import sql, { type Sql } from 'sql-template-tag';
import { begunLog } from '../../events/log/begin-log.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Ability } from './abilities.ts';

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

/**
 * Inserts a token.
 *
 * @returns undefined if the tenant already has `maxTokens` that are usable or pending
 */
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
  maxTokens: number | null,
): Promise<TokenRow | undefined> {
  const { rows } = await db.query<TokenRow>(sql`
    with token as (
      insert into tokens (tenant_id, name, hash, hint, abilities, expires_at, activated_at)
      select ${tenantId}::bigint, ${token.name}, ${token.hash}::bytea, ${token.hint},
             ${token.abilities}::text[], ${token.expiresAt}::timestamptz,
             case when ${token.active}::boolean then now() end
      where ${maxTokens}::int is null or (
        select count(*) from tokens where tenant_id = ${tenantId} and ${isUsable}) < ${maxTokens}::int
      returning tenant_id, ${tokenColumns}
    ), ${begunLog(sql`token`)}
    select ${tokenColumns} from token`);
  return rows[0];
}

/** Lists the usable tokens, and the latest of those that were revoked or have expired. */
export async function listTokens(db: Db, tenantId: number): Promise<TokenRow[]> {
  const { rows } = await db.query<TokenRow>(sql`
    select ${tokenColumns} from tokens where tenant_id = ${tenantId} and ${isUsable}
    union all (
      select ${tokenColumns} from tokens
      where tenant_id = ${tenantId} and not internal and not (${isUsable})
      order by id desc limit ${maxEndedListed})
    order by id`);
  return rows;
}

export async function findToken(
  db: Db,
  tenantId: number,
  tokenId: number,
): Promise<TokenRow | undefined> {
  const { rows } = await db.query<TokenRow>(sql`
    select ${tokenColumns} from tokens
    where tenant_id = ${tenantId} and id = ${tokenId} and not internal`);
  return rows[0];
}

/** Activates those of some tokens that are pending. */
export async function activateTokens(
  db: Db,
  tenantId: number,
  tokenIds: number[],
): Promise<TokenRow[]> {
  const { rows } = await db.query<TokenRow>(sql`
    update tokens set activated_at = now()
    where tenant_id = ${tenantId} and id = any(${tokenIds}::bigint[]) and activated_at is null
      and revoked_at is null and not internal
    returning ${tokenColumns}`);
  return rows;
}

export async function setRevoked(
  db: Db,
  tenantId: number,
  tokenId: number,
): Promise<TokenRow | undefined> {
  const { rows } = await db.query<TokenRow>(sql`
    update tokens set revoked_at = now()
    where tenant_id = ${tenantId} and id = ${tokenId} and not internal
    returning ${tokenColumns}`);
  return rows[0];
}

/** Finds the tenant's only internal token, or creates it. */
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

/**
 * Records that tokens arrived over plain HTTP, where others could read them. Ignores unknown
 * hashes.
 */
export async function markTokensSeenInClear(db: Db, hashes: Buffer[]): Promise<void> {
  await db.query(sql`
    update tokens set seen_in_clear_at = now()
    where hash = any(${hashes}::bytea[]) and seen_in_clear_at is null`);
}

const maxEndedListed = 200;

const isUsable: Sql = sql`
  not internal and revoked_at is null and (expires_at is null or expires_at > now())`;

const tokenColumns: Sql = sql`id, name, hint, abilities, created_at, activated_at, expires_at,
  revoked_at, last_used_at, seen_in_clear_at`;
