import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { signIn } from '../../test/features/sign-in.ts';
import { testApp } from '../../test/program/app.ts';
import { setWebhook } from './set-webhook.ts';

const app = testApp();

async function openShop() {
  const shop = await app.tenant();
  await setWebhook(app.services, shop.id, { url: 'https://hooks.example.com/' });
  return { shop, owner: await signIn(app, shop) };
}

test('the log of deliveries is paged without gaps, even if many have the same time', async () => {
  const { shop, owner } = await openShop();
  await app.db.query(sql`
    insert into deliveries (tenant_id, event, body, state, created_at)
    select ${shop.id}, 'contact.created', '{}', 'delivered',
           timestamptz '2026-11-21T10:00:00.123456Z' + n / 25 * interval '1 microsecond'
    from generate_series(1, 100) as n`);
  const seen: number[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query: string = after && `?after=${after}`;
    const { status, body } = await owner.call('GET', `/webhook/deliveries${query}`);
    expect(status).toBe(200);
    seen.push(...body.data.deliveries.map(({ id }: { id: number }) => id));
    after = body.data.after;
  }
  expect(seen).toHaveLength(100);
  expect(seen).toEqual(seen.toSorted((a, b) => b - a));
});

test.each([
  ['GET', '/webhook/deliveries?since=2026-12-31T23:59:60Z', undefined, 422],
  ['GET', '/webhook/deliveries?until=yesterday', undefined, 422],
  ['GET', '/webhook/deliveries?after=1_----------', undefined, 404],
  ['GET', '/webhook/deliveries?after=1_2026-13-45+99:99:99', undefined, 404],
  ['GET', '/webhook/deliveries?after=1_9999999999', undefined, 200],
  ['GET', '/webhook/deliveries?after=999999999999999_9999999999999999', undefined, 200],
  ['POST', '/webhook/redeliver', { id: 1e20 }, 422],
  ['POST', '/webhook/redeliver', { id: -1 }, 422],
  ['POST', '/webhook/redeliver', { since: '2026-12-31T23:59:60Z' }, 422],
] as const)('%s %s with %j returns %i', async (method, path, body, status) => {
  const { owner } = await openShop();
  const response = await owner.call(method, path, body);
  expect([response.status, response.body.success]).toEqual([status, status === 200]);
});
