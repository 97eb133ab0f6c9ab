import sql, { raw, type Sql } from 'sql-template-tag';
import { isHeld } from './is-held.ts';

/**
 * CTEs for `with recursive`: `heads (tenant_id, due_at)` has the first due row of each tenant that is not held. It
 * jumps from tenant to tenant along the queue's index on `(tenant_id, due_at)`, so its cost depends on the number of
 * tenants with waiting rows and not on the number of rows.
 *
 * @param table the queue
 * @param waiting the condition of that index
 * @param key the columns before `due_at`, if a tenant has several queues
 */
export function queueHeads(table: string, waiting: Sql, key = ['tenant_id']): Sql {
  const columns = raw(key.join(', '));
  const headColumns = raw(key.map((column) => `queued.${column}`).join(', '));
  return sql`
    queued as (
      (select ${columns}, due_at from ${raw(table)} where ${waiting}
       order by ${columns}, due_at limit 1)
      union all
      select next.*
      from queued
      cross join lateral (
        select ${columns}, due_at from ${raw(table)}
        where ${waiting} and (${columns}) > (${headColumns})
        order by ${columns}, due_at limit 1
      ) as next
    ), heads as (
      select * from queued where not ${isHeld(sql`queued.tenant_id`)}
    )`;
}
