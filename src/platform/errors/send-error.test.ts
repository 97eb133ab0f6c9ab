import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/program/app.ts';
import { misbehave } from '../../../test/servers/control.ts';
import { createLog } from '../log.ts';

const lines = new PassThrough();
const app = testApp({}, createLog('info', lines));

/** Reads what was logged since the last call. */
function logged() {
  const entries = String(lines.read()).trim().split('\n');
  return entries.map((line) => JSON.parse(line));
}

test('an unexpected error is a 500 with the id of its log line, and nothing else about it', async () => {
  const shop = await app.tenant();
  await app.db.pool.query('alter table groups rename to mislaid');
  try {
    const response = await shop.call('GET', '/groups');
    expect(response.status).toBe(500);
    const [, id] = /Request ([0-9a-f-]{36})\.$/.exec(response.body.message) ?? [];
    expect(logged().filter(({ reqId }) => reqId === id)).toMatchObject([
      { level: 50, err: { message: expect.stringContaining('groups') } },
    ]);
    expect(JSON.stringify(response.body)).not.toContain('groups');
  } finally {
    await app.db.pool.query('alter table mislaid rename to groups');
  }
});

test("while the database's disk is full, the caller may retry and the log has one line", async () => {
  const shop = await app.tenant();
  await app.db.pool.query(`
    create function refuse_for_room() returns trigger language plpgsql as $$ begin
      raise 'could not extend file: No space left on device' using errcode = 'disk_full';
    end $$;
    create trigger groups_full before insert on groups execute function refuse_for_room()`);
  try {
    const response = await shop.call('POST', '/groups', { name: 'New' });
    expect(response).toMatchObject({
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

test('a refusal by the network is logged by its numbers, without its message', async () => {
  const shop = await app.tenant();
  await misbehave(app, shop, { failWith: 190 });
  const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
  const response = await shop.call('POST', '/messages/send', text);
  expect(response.status).toBe(500);
  const causes = logged().flatMap(({ err }) => err?.cause ?? []);
  expect(causes).toEqual([{ status: 401, code: 190 }]);
});
