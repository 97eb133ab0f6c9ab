import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { isElsewhere } from '../../platform/jobs/is-held.ts';

/** A key by which a proxy finds a cell: the slug of a tenant, or the beginning of a callback or store address. */
export type MapKind = 'tenants' | 'addresses';

const servesHere = sql`not exists (
  select from tenant_moves where tenant_moves.tenant_id = tenants.id and ${isElsewhere})`;

/** Lists the slugs of the tenants of this cell. */
export async function listSlugs(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ slug: string }>(sql`
    select slug from tenants where ${servesHere} order by slug`);
  return rows.map(({ slug }) => slug);
}

/** The parts of URLs by which a proxy finds the callbacks and store posts of tenants. */
const addresses = sql`(
  select tenant_id, callback_id as address from numbers where disconnected_at is null
  union all
  select tenant_id, webhook_id from stores
) as addresses`;

/**
 * Lists the addresses of this cell: the prefix that its own have, and as a whole those with another one or none, of
 * tenants that moved here or were created before the cell got its name.
 */
export async function listAddresses(db: Db, cell: string): Promise<string[]> {
  const prefix = `${cell}-`;
  const { rows } = await db.query<{ address: string }>(sql`
    select address from ${addresses} join tenants on tenants.id = tenant_id
    where not starts_with(address, ${prefix}) and ${servesHere}
    order by address`);
  return [prefix, ...rows.map(({ address }) => address)];
}

/** Lists the addresses of a tenant. */
export async function listTenantAddresses(db: Db, tenantId: number): Promise<string[]> {
  const { rows } = await db.query<{ address: string }>(sql`
    select address from ${addresses} where tenant_id = ${tenantId} order by address`);
  return rows.map(({ address }) => address);
}

/** Lists the tenants whose move to this cell was interrupted at its last steps. Until it is finished, no cell serves them. */
export async function listArrived(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ slug: string }>(sql`
    select slug from tenants join tenant_moves on tenant_id = tenants.id
    where state = 'arrived' order by slug`);
  return rows.map(({ slug }) => slug);
}
