import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';

/** What a proxy finds a cell by: the slug of a tenant, or the beginning of a callback or store address. */
export type MapKind = 'tenants' | 'addresses';

/** Lists the slugs of the tenants of this cell. */
export async function listSlugs(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ slug: string }>(sql`select slug from tenants order by slug`);
  return rows.map(({ slug }) => slug);
}

/**
 * Lists the addresses of this cell: the prefix that its own have, and as a whole those with another one or none, of
 * tenants that moved here or were created before the cell got its name.
 */
export async function listAddresses(db: Db, cell: string): Promise<string[]> {
  const prefix = `${cell}-`;
  const { rows } = await db.query<{ address: string }>(sql`
    select address from (
      select callback_id as address from numbers where disconnected_at is null
      union all
      select webhook_id from stores
    ) as known
    where not starts_with(address, ${prefix})
    order by address`);
  return [prefix, ...rows.map(({ address }) => address)];
}
