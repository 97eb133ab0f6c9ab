import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Value } from './statement.ts';

/** The columns of a row, in their order: the type of each in PostgreSQL, and its value. */
export type Columns<Item> = Record<string, [type: string, read: (item: Item) => unknown]>;

/** What a statement works on, as a table in its `from`: the name of that, and its columns. */
export type Rows<Item> = (name: string, columns: Columns<Item>) => Sql;

/** A row for each item of a list: an array for each column, so the statement is the same for any length. */
export function rowsOf<Item>(items: Value<Item[]>): Rows<Item> {
  return (name, columns) => {
    const arrays = Object.values(columns).map(
      ([type, read]) => sql`${items.as((each) => each.map(read))}::${raw(type)}[]`,
    );
    return sql`unnest(${join(arrays)}) as ${named(name, columns)}`;
  };
}

/** One row: plain values, which PostgreSQL sets up in less time than it takes to unpack arrays of one. */
export function rowOf<Item>(item: Value<Item>): Rows<Item> {
  return (name, columns) => {
    const values = Object.values(columns).map(
      ([type, read]) => sql`${item.as(read)}::${raw(type)}`,
    );
    return sql`(values (${join(values)})) as ${named(name, columns)}`;
  };
}

const named = (name: string, columns: object) => raw(`${name} (${Object.keys(columns)})`);
