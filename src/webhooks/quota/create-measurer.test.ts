import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { setWebhook } from '../set-webhook.ts';
import { createMeasurer } from './create-measurer.ts';

const app = testApp();
const isStopping = () => false;

/** Creates a measurer that has got the notification of its start, which asks to measure all tenants. */
async function startMeasurer() {
  const measurer = createMeasurer(app.services);
  // The connection handles one request to listen after the other.
  await (await app.db.listen('deliveries', () => {}))();
  return measurer;
}

/** The deliveries of a tenant that are measured; undefined if it never was. */
async function measuredOf({ id }: TestTenant): Promise<number | undefined> {
  const { rows } = await app.db.query<{ waiting: number }>(sql`
    select waiting from delivery_usage where tenant_id = ${id}`);
  return rows[0]?.waiting;
}

test('after all tenants were measured once, only tenants with new events are measured', async () => {
  const [busy, idle] = [await app.tenant({ number: false }), await app.tenant({ number: false })];
  for (const { id } of [busy, idle]) {
    await setWebhook(app.services, id, { url: 'https://hooks.example.com/' });
  }
  const { measure, stop } = await startMeasurer();
  await measure(isStopping);
  expect(await measuredOf(idle)).toBe(0);

  // Without a notification, as if it was missed.
  await app.db.query(sql`
    insert into deliveries (tenant_id, event, body) values (${idle.id}, 'status.created', '{}')`);
  expect(
    (await busy.call('POST', '/contacts', { firstname: 'Ada', phone: '+14155550123' })).status,
  ).toBe(200);
  await eventually(async () => {
    await measure(isStopping);
    return (await measuredOf(busy)) === 1;
  });
  expect(await measuredOf(idle)).toBe(0);

  // The next process measures all tenants first.
  const another = await startMeasurer();
  await another.measure(isStopping);
  expect(await measuredOf(idle)).toBe(1);
  await stop();
  await another.stop();
});

test('a tenant whose quota was full is measured until it is not', async () => {
  const shop = await app.tenant({ number: false });
  await setWebhook(app.services, shop.id, { url: 'https://hooks.example.com/' });
  const { measure, stop } = await startMeasurer();
  await measure(isStopping);
  expect(await measuredOf(shop)).toBe(0);
  await app.db.query(sql`
    update webhooks set recording = 'changes', full_of = 'waiting' where tenant_id = ${shop.id}`);
  await measure(isStopping);
  const { rows } = await app.db.query<{ recording: string }>(sql`
    select recording from webhooks where tenant_id = ${shop.id}`);
  expect(rows).toEqual([{ recording: 'all' }]);
  await stop();
});
