import { PassThrough } from 'node:stream';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { insertContacts } from '../../../test/features/insert-contacts.ts';
import { signIn, type TestMember } from '../../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { createLog } from '../../platform/log.ts';
import { setWebhook } from '../../webhooks/set-webhook.ts';
import { changeAllContacts } from './change-all-contacts.ts';

const lines = new PassThrough();
const app = testApp({}, createLog('info', lines));

/** Creates a tenant with so many contacts, every tenth a "Grace", and a webhook for their events. */
async function openShop(count: number) {
  const shop = await app.tenant();
  await setWebhook(app.services, shop.id, {
    url: 'https://hooks.example.com/',
    events: ['contact.updated', 'contact.deleted'],
  });
  await insertContacts(
    app.db,
    'tenant_id, firstname, phone',
    sql`
      select ${shop.id}, case when n % 10 = 0 then 'Grace' else 'Ada' end, '+1415' || (5550000 + n)
      from generate_series(1, ${count}) as n`,
  );
  const make = async (path: string) =>
    (await shop.call('POST', path, { name: 'New' })).body.data.id as number;
  const owner = await signIn(app, shop);
  return { shop, owner, status: await make('/statuses'), group: await make('/groups') };
}

async function events(shop: TestTenant) {
  const { rows } = await app.db.query<{ event: string; data: Record<string, unknown> }>(sql`
    select event, body::json -> 'data' as data from deliveries
    where tenant_id = ${shop.id} order by id`);
  return rows;
}

test('all matching contacts are changed, each with its event, and no others', async () => {
  const { shop, owner, status, group } = await openShop(1_000);
  const started = await owner.call('POST', '/contacts/bulk', {
    filter: { search: 'GRACE' },
    change: { status_id: status, add_group_id: group, delete: false },
  });
  expect(started.body.data).toMatchObject({ state: 'running', contacts: 1_000, changed: 0 });
  const second = { filter: {}, change: { delete: true } };
  expect((await owner.call('POST', '/contacts/bulk', second)).status).toBe(422);
  // Contacts that are created later are not changed.
  await shop.call('POST', '/contacts', { firstname: 'Grace', phone: '+14155559999' });

  await Promise.all([changeAllContacts(app.services), changeAllContacts(app.services)]);
  const { data } = (await owner.call('GET', '/contacts/bulk')).body;
  expect(data).toMatchObject([{ state: 'done', contacts: 1_000, looked_at: 1_000, changed: 100 }]);
  const recorded = await events(shop);
  expect(recorded).toHaveLength(100);
  expect(new Set(recorded.map((each) => each.data.id)).size).toBe(100);
  expect(recorded[0]).toMatchObject({
    event: 'contact.updated',
    data: { firstname: 'Grace', status_id: status, group_ids: [group] },
  });
  const found = await owner.call('GET', `/contacts/filtered?status_id=${status}`);
  expect(found.body.pagination.total).toBe(100);
});

test('a change of many contacts takes the longest search of the list, and no longer one', async () => {
  const { owner, status } = await openShop(1);
  const begin = async (length: number) => {
    const filter = { search: 'x'.repeat(length) };
    return (await owner.call('POST', '/contacts/bulk', { filter, change: { status_id: status } }))
      .status;
  };
  expect([await begin(512), await begin(511)]).toEqual([422, 200]);
  await changeAllContacts(app.services);
});

test('all matching contacts are deleted, even if one process begins and another continues', async () => {
  const { shop, owner, status } = await openShop(800);
  await owner.call('POST', '/contacts/bulk', { filter: {}, change: { status_id: status } });
  let steps = 0;
  await changeAllContacts(app.services, () => steps++ > 1);
  const { data: halfway } = (await owner.call('GET', '/contacts/bulk')).body;
  expect(halfway[0]).toMatchObject({ state: 'running' });
  expect(halfway[0].changed).toBeGreaterThan(0);
  expect(halfway[0].changed).toBeLessThan(800);
  await changeAllContacts(app.services);

  const filter = { status_id: status, search: 'Ada' };
  await owner.call('POST', '/contacts/bulk', { filter, change: { delete: true } });
  await changeAllContacts(app.services);
  const { data } = (await owner.call('GET', '/contacts/bulk')).body;
  expect(data[0]).toMatchObject({ state: 'done', deletes: true, changed: 720 });
  // The search text may name a person.
  const { rows } = await app.db.query(sql`
    select from contact_bulk_changes where tenant_id = ${shop.id} and filter <> '{}'`);
  expect(rows).toHaveLength(0);
  // The ids of deleted contacts are in the log, without their names.
  const logged = String(lines.read())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const deletions = logged.filter(({ msg }) => msg === 'contacts deleted');
  expect(deletions.flatMap(({ contactIds }) => contactIds)).toHaveLength(720);
  expect(deletions[0]).toMatchObject({ tenantId: shop.id });
  expect(JSON.stringify(deletions)).not.toContain('Ada');
  const recorded = await events(shop);
  expect(recorded.filter(({ event }) => event === 'contact.updated')).toHaveLength(800);
  expect(recorded.filter(({ event }) => event === 'contact.deleted')).toHaveLength(720);
  expect((await shop.call('GET', '/contacts')).body.pagination.total).toBe(80);
});

test('a bulk change can be stopped, and ends if its label is deleted meanwhile', async () => {
  const { shop, owner, status } = await openShop(600);
  const begin = () =>
    owner.call('POST', '/contacts/bulk', { filter: {}, change: { status_id: status } });
  const { id } = (await begin()).body.data;
  const stranger = await signIn(app, await app.tenant());
  expect((await stranger.call('POST', `/contacts/bulk/${id}/stop`)).status).toBe(404);
  expect((await owner.call('POST', `/contacts/bulk/${id}/stop`)).status).toBe(200);
  await changeAllContacts(app.services);
  expect(await events(shop)).toEqual([]);

  await begin();
  await shop.call('DELETE', `/statuses/${status}`);
  await changeAllContacts(app.services);
  const { data } = (await owner.call('GET', '/contacts/bulk')).body;
  expect(data[0]).toMatchObject({
    state: 'failed',
    problem: 'The label was deleted meanwhile.',
    problem_says: { code: 'label_deleted' },
  });
  expect((await begin()).status).toBe(422);
});

test('a bulk change that cannot succeed ends as failed, and does not delay other tenants', async () => {
  const [bad, good] = [await openShop(10), await openShop(10)];
  const begin = (owner: TestMember, change: object) =>
    owner.call('POST', '/contacts/bulk', { filter: {}, change });
  await begin(bad.owner, { status_id: bad.status });
  // An id beyond bigint: PostgreSQL refuses every step.
  await app.db.query(sql`
    update contact_bulk_changes set filter = '{"status_id": 1e20}' where tenant_id = ${bad.shop.id}`);
  await begin(good.owner, { status_id: good.status });

  await changeAllContacts(app.services);
  const [failed] = (await bad.owner.call('GET', '/contacts/bulk')).body.data;
  expect(failed).toMatchObject({
    state: 'failed',
    problem: 'Something went wrong on our side. Contacts that were already changed stay so.',
  });
  const [done] = (await good.owner.call('GET', '/contacts/bulk')).body.data;
  expect(done).toMatchObject({ state: 'done', contacts: 10, looked_at: 10, changed: 10 });
  expect((await begin(bad.owner, { status_id: bad.status })).status).toBe(200);
});
