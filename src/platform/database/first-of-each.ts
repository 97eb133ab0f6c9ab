import sql, { empty, raw, type Sql } from 'sql-template-tag';

/**
 * A CTE for `with recursive`: `firsts` has the first row of each tenant, in the order of an index. It jumps from tenant
 * to tenant along the index, so its cost depends on the number of tenants. `select distinct` would read every entry.
 *
 * @param key the first columns of the index, if each tenant has several groups of rows
 * @param order the column of the index after `key`, which decides the first row
 * @param column a further column of the result
 * @param condition of the rows; that of the index if it is a partial one
 */
export function firstOfEach(
  table: string,
  {
    key = ['tenant_id'],
    order,
    column = order,
    condition = sql`true`,
  }: { key?: string[]; order?: string; column?: string; condition?: Sql } = {},
): Sql {
  const keys = raw(key.join(', '));
  const keysBefore = raw(key.map((name) => `firsts.${name}`).join(', '));
  const ordered = order === undefined ? empty : raw(`, ${order}`);
  const columns = column === undefined ? keys : sql`${keys}, ${raw(column)}`;
  return sql`
    firsts as (
      (select ${columns} from ${raw(table)} where ${condition}
       order by ${keys}${ordered} limit 1)
      union all
      select next.*
      from firsts
      cross join lateral (
        select ${columns} from ${raw(table)}
        where ${condition} and (${keys}) > (${keysBefore})
        order by ${keys}${ordered} limit 1
      ) as next
    )`;
}
