import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { misbehave, testApp } from '../test/app.ts';
import { createLog } from './platform/log.ts';

const lines = new PassThrough();
const app = testApp({}, createLog('info', lines));

/** What was logged since the last call. */
function logged() {
  const said = String(lines.read()).trim().split('\n');
  return said.map((line) => JSON.parse(line));
}

test('a fault of ours is a 500 that names its line in the log, and nothing else of it', async () => {
  const shop = await app.tenant();
  await app.db.pool.query('alter table groups rename to mislaid');
  try {
    const answer = await shop.call('GET', '/groups');
    expect(answer.status).toBe(500);
    const [, id] = /Request ([0-9a-f-]{36})\.$/.exec(answer.body.message) ?? [];
    expect(logged().filter(({ reqId }) => reqId === id)).toMatchObject([
      { level: 50, err: { message: expect.stringContaining('groups') } },
    ]);
    expect(JSON.stringify(answer.body)).not.toContain('groups');
  } finally {
    await app.db.pool.query('alter table mislaid rename to groups');
  }
});

test('while the disk of the database is full, a caller is told to come again, and the log in a line', async () => {
  const shop = await app.tenant();
  await app.db.pool.query(`
    create function refuse_for_room() returns trigger language plpgsql as $$ begin
      raise 'could not extend file: No space left on device' using errcode = 'disk_full';
    end $$;
    create trigger groups_full before insert on groups execute function refuse_for_room()`);
  try {
    const answer = await shop.call('POST', '/groups', { name: 'New' });
    expect(answer).toMatchObject({
      status: 500,
      headers: { 'retry-after': '5' },
      body: { message: expect.stringMatching(/Try again in a moment\.$/) },
    });
    expect(logged().map(({ err }) => err)).toEqual([
      'error: could not extend file: No space left on device',
    ]);
  } finally {
    await app.db.pool.query('drop function refuse_for_room cascade');
  }
});

test('a refusal that is the network’s is logged by its numbers, and nothing that it said', async () => {
  const shop = await app.tenant();
  await misbehave(app, shop, { failWith: 190 });
  const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
  const answer = await shop.call('POST', '/messages/send', text);
  expect(answer.status).toBe(500);
  const causes = logged().flatMap(({ err }) => err?.cause ?? []);
  expect(causes).toEqual([{ status: 401, code: 190 }]);
});
