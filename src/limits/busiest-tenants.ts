import sql, { raw } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';

/** What a tenant has used lately: its tokens, and the posts to the addresses of its stores, also the refused ones. */
export type TenantUsage = {
  tenant: string;
  requests: number;
  /** Requests with a 4xx and with a 5xx response. */
  refusals: number;
  failures: number;
  messages: number;
  store_posts: number;
};

/**
 * Finds the tenants with the most of something, for the operator.
 *
 * @param since requests and messages are counted from the beginning of its day in UTC, posts from that of its hour,
 *   because they are stored by day and by hour
 */
export async function findBusiestTenants(
  db: Db,
  { by, since, limit }: { by: Exclude<keyof TenantUsage, 'tenant'>; since: Date; limit: number },
): Promise<TenantUsage[]> {
  const { rows } = await db.query<TenantUsage>(sql`
    with called as (
      select tokens.tenant_id, sum(requests)::bigint as requests, sum(refusals)::bigint as refusals,
             sum(failures)::bigint as failures, sum(texts + media + templates)::bigint as messages
      from tokens
      join token_usage as used on used.tenant_id = tokens.tenant_id and used.token_id = tokens.id
        and used.day >= (${since}::timestamptz at time zone 'UTC')::date
      group by tokens.tenant_id
    ), posted as (
      select stores.tenant_id, sum(verified + refused)::bigint as store_posts
      from stores
      join store_hours as counted on counted.tenant_id = stores.tenant_id and counted.store_id = stores.id
        and counted.hour >= date_trunc('hour', ${since}::timestamptz)
      group by stores.tenant_id
    )
    select tenants.slug as tenant, coalesce(requests, 0) as requests,
           coalesce(refusals, 0) as refusals, coalesce(failures, 0) as failures,
           coalesce(messages, 0) as messages, coalesce(store_posts, 0) as store_posts
    from called
    full join posted using (tenant_id)
    join tenants on tenants.id = tenant_id
    order by ${raw(by)} desc, tenants.slug
    limit ${limit}`);
  return rows;
}
