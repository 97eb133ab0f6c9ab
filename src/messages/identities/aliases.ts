import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';

/**
 * Makes identities lead to a conversation, with everything that led to another one.
 *
 * @param person the key of the conversation
 * @param other the key of the other conversation
 */
export async function addAliases(
  tx: Db,
  tenantId: number,
  { person, other }: { person: string; other: string },
  identities: string[],
): Promise<void> {
  await removeAlias(tx, tenantId, person);
  await tx.query(sql`
    update conversation_aliases set person = ${person}
    where tenant_id = ${tenantId} and person = ${other}`);
  await tx.query(sql`
    with former as (
      delete from former_phones where tenant_id = ${tenantId} and person = ${other}
      returning phone, changed_at
    )
    insert into former_phones (tenant_id, person, phone, changed_at)
    select ${tenantId}::bigint, ${person}, phone, changed_at from former
    on conflict do nothing`);
  // The erasures of the other conversation stay until they end, but no longer find its identities.
  await tx.query(sql`
    insert into erasures (tenant_id, person, contact_id, erased_at)
    select tenant_id, ${person}, contact_id, erased_at from erasures
    where tenant_id = ${tenantId} and person = ${other}
    on conflict do nothing`);
  await tx.query(sql`
    with alias as (
      insert into conversation_aliases (tenant_id, identity, person)
      select distinct ${tenantId}::bigint, phone_identity(identity), ${person}
      from unnest(${identities}::text[]) as known (identity)
      where phone_identity(identity) <> ${person}
      on conflict (tenant_id, identity) do update set person = excluded.person
      returning tenant_id, identity
    ), ${noteNewAliases(sql`alias`)}
    select from alias`);
}

export async function removeAlias(tx: Db, tenantId: number, identity: string): Promise<void> {
  await tx.query(sql`
    delete from conversation_aliases where tenant_id = ${tenantId} and identity = ${identity}`);
}

/**
 * Builds a CTE that notes aliases for a check once all transactions see them.
 *
 * @param alias a CTE with their tenant_id and identity
 */
export function noteNewAliases(alias: Sql): Sql {
  return sql`
    new_alias as (
      insert into new_aliases (tenant_id, identity)
      select tenant_id, identity from ${alias} order by tenant_id, identity
      on conflict (tenant_id, identity) do update set seen_at = null
    )`;
}

/** Notes that the person of a conversation has one phone instead of another one, both in their canonical form. */
export async function changeFormerPhone(
  tx: Db,
  tenantId: number,
  person: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await tx.query(sql`
    delete from former_phones where tenant_id = ${tenantId} and person = ${person} and phone = ${to}`);
  await tx.query(sql`
    insert into former_phones (tenant_id, person, phone, changed_at)
    values (${tenantId}, ${person}, ${from}, now())
    on conflict (tenant_id, person, phone) do update set changed_at = now()`);
}
