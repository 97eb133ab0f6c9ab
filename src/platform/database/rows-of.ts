import sql, { join, raw, type Sql } from 'sql-template-tag';

/** The columns of a list, in their order: the type of each in PostgreSQL, and its value for an item. */
export type Columns<Item> = Record<
  string,
  [type: string, value: (item: Item, index: number) => unknown]
>;

/**
 * A list as a table in the `from` of a statement:
 *
 *     from ${rowsOf('thing', things, {
 *       id: ['bigint', ({ id }) => id],
 *       name: ['text', ({ name }) => name],
 *     })}
 *
 * Many items go as one array per column, so that the text is the same for every length. A single item
 * goes as plain values, which PostgreSQL sets up faster than arrays of one.
 */
export function rowsOf<Item>(name: string, items: readonly Item[], columns: Columns<Item>): Sql {
  const alias = raw(`${name} (${Object.keys(columns).join(', ')})`);
  const [only] = items;
  if (items.length === 1) {
    const values = Object.values(columns).map(
      ([type, value]) => sql`${value(only!, 0)}::${raw(type)}`,
    );
    return sql`(values (${join(values)})) as ${alias}`;
  }
  const arrays = Object.values(columns).map(
    ([type, value]) => sql`${items.map(value)}::${raw(type)}[]`,
  );
  return sql`unnest(${join(arrays)}) as ${alias}`;
}
