import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { moment } from './moment.ts';
import { rowOf, rowsOf } from './rows-of.ts';
import { statement } from './statement.ts';

type Thing = { id: number; name: string };

const columns = {
  id: ['bigint', ({ id }: Thing) => id],
  label: ['text', ({ name }: Thing) => name.toUpperCase()],
} satisfies Parameters<ReturnType<typeof rowOf<Thing>>>[1];

test('a statement is put together once, and reads its values from what it is given', () => {
  let built = 0;
  const find = statement<{ tenantId: number; id: number }>('test-find', ({ tenantId, id }) => {
    built++;
    return sql`select ${tenantId}, ${id.as((it) => it + 1)} from things where tenant_id = ${tenantId}`;
  });
  const text = 'select $1, $2 from things where tenant_id = $1';
  expect(find({ tenantId: 7, id: 1 })).toEqual({ name: 'test-find', text, values: [7, 2] });
  expect(find({ tenantId: 8, id: 2 })).toEqual({ name: 'test-find', text, values: [8, 3] });
  expect(built).toBe(1);
});

test('the moment of a statement is one parameter, and none where the clock is right', () => {
  const wait = statement<{ clockOffsetMs: number }>('test-wait', ({ clockOffsetMs }) => {
    const at = moment(clockOffsetMs);
    return sql`select ${at}, ${at}`;
  });
  expect(wait({ clockOffsetMs: 0 })).toEqual({
    name: 'test-wait',
    text: 'select now(), now()',
    values: [],
  });
  expect(wait({ clockOffsetMs: 250 })).toEqual({
    name: 'test-wait-moved',
    text: `select (now() + $1::float8 * interval '1 ms'), (now() + $1::float8 * interval '1 ms')`,
    values: [250],
  });
});

test('a list is an array for each column, a single item plain values', () => {
  const many = statement<{ things: Thing[] }>(
    'test-many',
    ({ things }) => sql`select * from ${rowsOf(things)('thing', columns)}`,
  );
  const things = [
    { id: 1, name: 'a' },
    { id: 2, name: 'b' },
  ];
  expect(many({ things })).toMatchObject({
    text: 'select * from unnest($1::bigint[],$2::text[]) as thing (id,label)',
    values: [
      [1, 2],
      ['A', 'B'],
    ],
  });

  const one = statement<{ thing: Thing }>(
    'test-one',
    ({ thing }) => sql`select * from ${rowOf(thing)('thing', columns)}`,
  );
  expect(one({ thing: things[0]! })).toMatchObject({
    text: 'select * from (values ($1::bigint,$2::text)) as thing (id,label)',
    values: [1, 'A'],
  });
});

test('a value that would be the same each time is refused: it belongs into the text', () => {
  expect(() => statement('test-constant', () => sql`select ${1}`)).toThrow('always the same');
});
