import sql, { raw, type Sql } from 'sql-template-tag';
import { rowsOf } from '../database/rows-of.ts';
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

/**
 * A subquery after `queueHeads`: `(tenant_id, in_flight)`, the tenants with due rows, starting with those for which this
 * process has the fewest rows in flight.
 *
 * @param inFlight how many rows of each tenant this process has already claimed
 */
export function fewestInFlightFirst(inFlight: ReadonlyMap<number, number>): Sql {
  return sql`(
    select heads.tenant_id, coalesce(claimed.count, 0) as in_flight
    from heads
    left join ${rowsOf('claimed', [...inFlight], {
      tenant_id: ['bigint', ([tenantId]) => tenantId],
      count: ['int', ([, count]) => count],
    })} on claimed.tenant_id = heads.tenant_id
    where heads.due_at <= now()
    order by in_flight, heads.due_at)`;
}
