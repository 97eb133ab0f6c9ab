import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { holdLocks, lockWaiters } from '../../../test/database/locks.ts';
import { sameOrigin, signIn } from '../../../test/features/sign-in.ts';
import { call, testApp } from '../../../test/program/app.ts';

const app = testApp();

test('only a CSV file is accepted for an import', async () => {
  const shop = await app.tenant({ number: false });
  const { cookie, call: ask } = await signIn(app, shop);
  const path = `/dashboard-api/${shop.slug}/contacts/imports?filename=people.csv`;
  for (const body of [undefined, {}, ['name,phone'], 'name,phone']) {
    const response = await ask('POST', '/contacts/imports?filename=people.csv', body);
    expect(response.status).toBe(400);
    expect(response.body.message).toMatch(/Content-Type: text\/csv/);
  }
  expect((await ask('GET', '/contacts/imports')).body.data).toEqual([]);

  const headers = { ...sameOrigin, cookie, 'content-type': 'text/csv' };
  const taken = await call(app, 'POST', path, 'name,phone\nAnn,+14155557001\n', headers);
  expect(taken.status).toBe(200);
});

test('the last 20 imports of a tenant are stored with their reports', async () => {
  const [shop, other] = [await app.tenant({ number: false }), await app.tenant({ number: false })];
  const { cookie } = await signIn(app, shop);
  for (const { id } of [shop, other]) {
    await app.db.pool.query(
      `insert into contact_imports (tenant_id, filename, bytes, state, report)
       select $1, n, 1, 'done', 'line' from generate_series(1, 25) as n`,
      [id],
    );
  }
  const path = `/dashboard-api/${shop.slug}/contacts/imports?filename=26`;
  const headers = { ...sameOrigin, cookie, 'content-type': 'text/csv' };
  expect((await call(app, 'POST', path, 'name,phone\n', headers)).status).toBe(200);
  const { rows } = await app.db.pool.query(
    `select array(select filename from contact_imports where tenant_id = $1 order by id) as own,
            (select count(*) from contact_imports where tenant_id = $2) as others`,
    [shop.id, other.id],
  );
  const lastOnes = Array.from({ length: 20 }, (_, n) => String(n + 7));
  expect(rows).toEqual([{ own: lastOnes, others: 25 }]);
});

test('while one import of a tenant is running, another is refused before its file is read', async () => {
  const [shop, other] = [await app.tenant({ number: false }), await app.tenant({ number: false })];
  const [owner, neighbour] = [await signIn(app, shop), await signIn(app, other)];
  const text = 'name,phone\nAnn,+14155557001\n';
  const pathOf = ({ slug }: { slug: string }) =>
    `/dashboard-api/${slug}/contacts/imports?filename=people.csv`;
  const headersOf = ({ cookie }: { cookie: string }) => ({ cookie, 'content-type': 'text/csv' });
  const { origin, host } = new URL(app.url.replace('http:', 'https:'));
  /** Sends the headers of an upload and the given part of its file. */
  const begin = (part: string): ClientRequest => {
    const sent = request(new URL(pathOf(shop), app.url), {
      method: 'POST',
      headers: { ...headersOf(owner), origin, host, 'content-length': 1_000_000 },
    });
    sent.on('error', () => {}); // cut below
    sent.flushHeaders();
    if (part) sent.write(part);
    return sent;
  };
  const folders = () => readdir(join(app.services.config.dataDir, 'imports'));

  const slow = begin(text);
  const [running] = await eventually(async () => {
    const { data } = (await owner.call('GET', '/contacts/imports')).body;
    return data.length > 0 && data;
  });
  expect(running).toMatchObject({ state: 'running', bytes: 1_000_000, bytes_read: 0 });
  await eventually(async () => (await folders()).includes(String(running.id)));

  const before = await folders();
  const second = begin('');
  const [answer] = await once(second, 'response');
  expect(answer.statusCode).toBe(422);
  expect(JSON.parse(await readText(answer))).toMatchObject({
    errors: {
      file: ['cannot be imported while another import is running. Try again when it has ended'],
    },
  });
  second.destroy();
  expect(before).toEqual(expect.arrayContaining(await folders()));

  const headers = { ...sameOrigin, ...headersOf(neighbour) };
  expect((await call(app, 'POST', pathOf(other), text, headers)).status).toBe(200);

  // An interrupted upload leaves nothing behind and does not block the next.
  slow.destroy();
  await eventually(
    async () => (await owner.call('GET', '/contacts/imports')).body.data.length === 0,
  );
  await eventually(async () => !(await folders()).includes(String(running.id)));
  const next = { ...sameOrigin, ...headersOf(owner) };
  expect((await call(app, 'POST', pathOf(shop), text, next)).status).toBe(200);
  await eventually(async () => (await folders()).length === 0);
});

test('an import and a change of the same contacts do not wait for each other', async () => {
  const shop = await app.tenant({ number: false });
  const { cookie, call: ask } = await signIn(app, shop);
  const create = async (firstname: string, phone: string) =>
    (await shop.call('POST', '/contacts', { firstname, phone })).body.data.id as number;
  const ids = [await create('Zoe', '+14155557009'), await create('Ann', '+14155557001')];

  // In the order of their ids, like every bulk change.
  const lock = 'select from contacts where tenant_id = $1 and id = $2 for no key update nowait';
  const writer = await holdLocks(app, lock, [shop.id, ids[0]]);
  const path = `/dashboard-api/${shop.slug}/contacts/imports?filename=people.csv`;
  const headers = { ...sameOrigin, cookie, 'content-type': 'text/csv' };
  await call(app, 'POST', path, 'name,phone\nA,+14155557001\nZ,+14155557009\n', headers);
  await lockWaiters(app);
  await writer.query(lock, [shop.id, ids[1]]);
  await writer.query('commit');
  const ended = await eventually(async () => {
    const [latest] = (await ask('GET', '/contacts/imports')).body.data;
    return latest.state !== 'running' && latest;
  });
  expect(ended).toMatchObject({ state: 'done', updated: 2 });
});
