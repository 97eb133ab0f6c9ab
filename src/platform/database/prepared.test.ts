import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { moment } from './moment.ts';
import { prepared, Shared } from './prepared.ts';

test('a shared value is one parameter, also where its statement stands in another one', () => {
  const write = (at: Shared, name: string) =>
    prepared(
      'test-shared',
      sql`select ${sql`${at}::int + ${name}`}, ${at}::int, ${name}, ${new Shared(at.value)}`,
    );
  expect(write(new Shared(7), 'a')).toEqual({
    name: 'test-shared',
    text: 'select $1::int + $2, $1::int, $3, $4',
    values: [7, 'a', 'a', 7],
  });
  expect(write(new Shared(8), 'b').values).toEqual([8, 'b', 'b', 8]);
});

test('the moment of a statement is one parameter, and a plain statement can have it too', () => {
  const at = moment(250);
  expect(prepared('test-moment', sql`select ${at} where ${at} > now()`)).toMatchObject({
    text: `select (now() + $1::float8 * interval '1 ms') where (now() + $1::float8 * interval '1 ms') > now()`,
    values: [250],
  });
  expect(at.values).toMatchObject([{ value: 250 }]);
});

test.each([
  ['more values', sql`select ${1}, ${2}`],
  ['a longer text', sql`select ${1} for update`],
])('a second statement of a name is refused, here for %s', (_, second) => {
  prepared('test-name', sql`select ${1}`);
  expect(() => prepared('test-name', second)).toThrow('two statements');
});
