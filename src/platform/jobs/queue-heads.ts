import sql, { type Sql } from 'sql-template-tag';
import { firstOfEach } from '../database/first-of-each.ts';
import { rowsOf } from '../database/rows-of.ts';
import { isHeld } from './is-held.ts';

/**
 * CTEs for `with recursive`: `heads (tenant_id, due_at)` has the first due row of each tenant that is not held. The
 * queue has an index on `(tenant_id, due_at)`.
 *
 * @param table the queue
 * @param waiting the condition of that index
 * @param key the columns before `due_at`, if a tenant has several queues
 */
export function queueHeads(table: string, waiting: Sql, key?: string[]): Sql {
  return sql`
    ${firstOfEach(table, { key, order: 'due_at', condition: waiting })}, heads as (
      select * from firsts where not ${isHeld(sql`firsts.tenant_id`)}
    )`;
}

/**
 * A subquery after `queueHeads`: `(tenant_id, in_flight)`, the tenants with due rows, starting with those for which
 * this process has the fewest rows in flight.
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
