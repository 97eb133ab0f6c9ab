import sql, { raw, type Sql } from 'sql-template-tag';

/**
 * A CTE for `with recursive`: `heads (tenant_id, due_at)`, the first due row of each tenant. It jumps from
 * tenant to tenant along the queue's index on `(tenant_id, due_at)`, so its cost depends on the number of
 * tenants with waiting rows and not on the number of rows.
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
