import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { rowsOf } from './rows-of.ts';
import { statement } from './statement.ts';

const things = [
  { id: 1, name: 'a' },
  { id: 2, name: 'b' },
];

const listing = (listed: typeof things) =>
  statement(
    'test-list',
    sql`select * from ${rowsOf('thing', listed, {
      id: ['bigint', ({ id }) => id],
      label: ['text', ({ name }) => name.toUpperCase()],
      position: ['int', (_, index) => index + 1],
    })}`,
  );

test('a statement has one name for each of its texts, whatever its values are', () => {
  const find = (id: number) => statement('test-find', sql`select from things where id = ${id}`);
  expect(find(1)).toEqual({
    name: 'test-find',
    text: 'select from things where id = $1',
    values: [1],
  });
  expect(find(2)).toEqual({ ...find(1), values: [2] });
});

test('a list is an array for each column, and a single item plain values', () => {
  expect(listing(things)).toEqual({
    name: 'test-list',
    text: 'select * from unnest($1::bigint[],$2::text[],$3::int[]) as thing (id, label, position)',
    values: [
      [1, 2],
      ['A', 'B'],
      [1, 2],
    ],
  });
  expect(listing(things.slice(0, 1))).toEqual({
    name: 'test-list-2',
    text: 'select * from (values ($1::bigint,$2::text,$3::int)) as thing (id, label, position)',
    values: [1, 'A', 1],
  });
  expect(listing([])).toMatchObject({ name: 'test-list', values: [[], [], []] });
});

test('a statement whose text depends on its values is refused', () => {
  const varying = (count: number) => statement('test-varying', sql`select ${sql([String(count)])}`);
  expect(() => Array.from({ length: 9 }, (_, count) => varying(count))).toThrow(
    'the text of test-varying depends on its values',
  );
});
