import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { testApp } from '../test/app.ts';

const lines = new PassThrough();
const app = testApp({}, pino(lines));

test('a fault of ours is a 500 that names its line in the log, and nothing else of it', async () => {
  const shop = await app.tenant();
  await app.db.pool.query('alter table groups rename to mislaid');
  try {
    const answer = await shop.call('GET', '/groups');
    expect(answer.status).toBe(500);
    const [, id] = /Request ([0-9a-f-]{36})\.$/.exec(answer.body.message) ?? [];
    const said = String(lines.read()).trim().split('\n');
    const entries = said.map((line) => JSON.parse(line)).filter(({ reqId }) => reqId === id);
    expect(entries).toMatchObject([
      { level: 50, err: { message: expect.stringContaining('groups') } },
    ]);
    expect(JSON.stringify(answer.body)).not.toContain('groups');
  } finally {
    await app.db.pool.query('alter table mislaid rename to groups');
  }
});
