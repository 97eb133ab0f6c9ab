import sql, { type Sql } from 'sql-template-tag';
import type { Columns } from './rows-of.ts';

/**
 * The long values of a list, such as bodies, as one parameter, for a list of {@link rowsOf}:
 *
 *     const bodies = longValues(posts.map(({ body }) => body));
 *     select id, ${bodies.bytes} as body
 *     from ${rowsOf('post', posts, { id: ['bigint', ({ id }) => id], ...bodies.columns })}
 *
 * A single bytea is sent as binary. An array is sent as text, in which a bytea is twice as long and each quotation
 * mark of JSON is escaped, which takes seconds for some megabytes.
 *
 * @returns the columns by which a row finds its value, and the value as bytea or, from UTF-8, as text
 */
export function longValues(values: readonly (Buffer | string)[]): {
  columns: Columns<unknown>;
  bytes: Sql;
  text: Sql;
} {
  const buffers = values.map((value) => (typeof value === 'string' ? Buffer.from(value) : value));
  const starts: number[] = [];
  let length = 0;
  for (const buffer of buffers) {
    starts.push(length + 1);
    length += buffer.length;
  }
  const bytes = sql`substring(${Buffer.concat(buffers)}::bytea from start for bytes)`;
  return {
    columns: {
      start: ['int', (_, index) => starts[index]],
      bytes: ['int', (_, index) => buffers[index]!.length],
    },
    bytes,
    text: sql`convert_from(${bytes}, 'UTF8')`,
  };
}
