import sql, { raw, type Sql } from 'sql-template-tag';

/**
 * For a statement `with recursive`: `heads (tenant_id, due_at)`, what is due first of each tenant.
 *
 * Jumps from tenant to tenant along the index of the queue, on `(tenant_id, due_at)`: the cost goes
 * with the count of tenants that have something waiting, not with what waits for them.
 *
 * @param table the queue
 * @param waiting the condition of that index
 */
export function queueHeads(table: string, waiting: Sql): Sql {
  return sql`
    heads as (
      (select tenant_id, due_at from ${raw(table)} where ${waiting}
       order by tenant_id, due_at limit 1)
      union all
      select next.tenant_id, next.due_at
      from heads
      cross join lateral (
        select tenant_id, due_at from ${raw(table)}
        where ${waiting} and tenant_id > heads.tenant_id
        order by tenant_id, due_at limit 1
      ) as next
    )`;
}
