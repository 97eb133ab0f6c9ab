import { request } from 'node:http';
import sql, { type Sql } from 'sql-template-tag';
import { expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { testApp } from '../../../test/program/app.ts';
import { testListener } from '../../../test/servers/listener.ts';
import { createClearTokenRecorder } from './record-clear-token.ts';
import { looksLikeToken, makeToken } from './token-format.ts';

const app = testApp();
const listener = testListener(() => {});

/** Sends these tokens over plain HTTP, all at once, and returns the HTTP statuses. */
async function sendInClear(port: number, tokens: string[]): Promise<Set<number | undefined>> {
  const statuses = tokens.map(
    (token) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}` };
        request({ port, path: '/api/demo/contacts', headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      }),
  );
  return new Set(await Promise.all(statuses));
}

async function isMarked(tokenId: number): Promise<boolean> {
  const { rows } = await app.db.query<{ is_marked: boolean }>(sql`
    select seen_in_clear_at is not null as is_marked from tokens where id = ${tokenId}`);
  return rows[0]!.is_marked;
}

test('a flood of tokens over plain HTTP causes few statements, and each token is recorded once', async () => {
  const shops = await Promise.all([1, 2, 3].map(() => app.tenant({ number: false })));
  let statements = 0;
  let recorded = 0;
  const db = {
    ...app.db,
    query: (query: Sql) => {
      statements++;
      recorded += query.values.flat().length;
      return app.db.query(query);
    },
  } as typeof app.db;
  const record = createClearTokenRecorder({ db, log: app.services.log });
  const { port } = await listener.open({
    onRefusedPlain: ({ headers }) => record(headers.authorization),
  });
  // Only one of these has a valid checksum.
  const body = makeToken().slice(0, -1);
  const lookAlikes = [...'0123456789']
    .map((end) => body + end)
    .filter((each) => !looksLikeToken(each));
  await sendInClear(port, [...lookAlikes, 'parley_short', 'x'.repeat(5_000)]);
  expect(statements).toBe(0);

  const flood = shops.flatMap(({ token }) => Array<string>(50).fill(token));
  const generated = Array.from({ length: 100 }, makeToken);
  expect(await sendInClear(port, [...flood, ...generated])).toEqual(new Set([400]));
  for (const { tokenId } of shops) await eventually(() => isMarked(tokenId));
  // One statement immediately, then one per second for all tokens that arrived in between.
  await eventually(async () => recorded >= shops.length + generated.length);
  expect(statements).toBeLessThan(20);
  await sendInClear(port, [...flood, makeToken()]);
  await eventually(async () => recorded >= shops.length + generated.length + 1);
  expect(recorded).toBe(shops.length + generated.length + 1);
});
