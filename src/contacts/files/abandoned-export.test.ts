import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { holdLocks, lockWaiters } from '../../../test/database/locks.ts';
import { insertContacts } from '../../../test/features/insert-contacts.ts';
import { signIn } from '../../../test/features/sign-in.ts';
import { testApp } from '../../../test/program/app.ts';
import { exportContacts } from './export-contacts.ts';

const app = testApp();

async function shopWithMany({ contacts, note } = { contacts: 20_000, note: '' }) {
  const shop = await app.tenant();
  await insertContacts(
    app.db,
    'tenant_id, firstname, phone, metadata, created_at, updated_at',
    sql`
      select ${shop.id}, 'Ana ' || n, '+4915' || 100000000 + n, jsonb_build_object('note', ${note}::text),
             now(), now()
      from generate_series(1, ${contacts}) as n`,
  );
  return shop;
}

test('an aborted export stops, and leaves the previous file', async () => {
  const shop = await shopWithMany();
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const path = join(folder, 'contacts.csv');
  await writeFile(path, 'of yesterday');
  const stop = new AbortController();
  const exported = exportContacts(app.db, shop.id, path, { signal: stop.signal });
  const ended = expect(exported).rejects.toThrow('aborted');
  while ((await readdir(folder)).length < 2) await sleep(1);
  stop.abort();
  await ended;
  expect(await readdir(folder)).toEqual(['contacts.csv']);
  expect(await readFile(path, 'utf8')).toBe('of yesterday');
  await rm(folder, { recursive: true });
});

test('a download begins at once, and has every contact', async () => {
  const shop = await shopWithMany();
  const { cookie } = await signIn(app, shop);
  const url = `${app.url}/dashboard-api/${shop.slug}/contacts/export`;
  const holder = await holdLocks(app, 'lock table contacts in access exclusive mode');
  const { body } = await fetch(url, { headers: { cookie } });
  const reader = body!.pipeThrough(new TextDecoderStream('utf-8', { ignoreBOM: true })).getReader();
  let text = (await reader.read()).value!;
  expect(text).toMatch(/^\ufeffid,firstname,[^\n]*\n$/);
  await lockWaiters(app);
  await holder.query('rollback');
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  expect(text.split('\n')).toHaveLength(20_002);

  const head = await fetch(url, { method: 'HEAD', headers: { cookie } });
  expect(head.status).toBe(404);
});

test('exports that are not read do not keep lists waiting, and one that is given up makes room', async () => {
  // A file that is longer than what the system buffers of an unread response.
  const shop = await shopWithMany({ contacts: 3_000, note: 'x'.repeat(4_000) });
  const { cookie } = await signIn(app, shop);
  const url = `${app.url}/dashboard-api/${shop.slug}/contacts/export`;
  const begin = async (): Promise<IncomingMessage> => {
    const [response] = await once(get(url, { agent: false, headers: { cookie } }), 'response');
    return response.on('error', () => {});
  };
  const exports = [await begin(), await begin()];
  expect(exports.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  const refused = await begin();
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5']);
  expect((await shop.call('GET', '/contacts?search=Ana&per_page=1')).status).toBe(200);
  exports[0]!.destroy();
  await eventually(async () => (await begin()).statusCode === 200);
});
