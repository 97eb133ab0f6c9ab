import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/program/app.ts';
import { fault } from '../../platform/errors/fault.ts';
import { updateTenant } from '../../tenants/queries.ts';
import { defaultEndpointOf } from '../endpoint-key.ts';
import { setPaused, switchWebhookOff } from '../queries.ts';
import { measureDeliveries } from '../quota/measure-deliveries.ts';
import { setWebhook } from '../set-webhook.ts';
import { pruneOldDeliveries } from './prune-deliveries.ts';

const app = testApp({ PARLEY_DELIVERY_RETENTION_DAYS: '7' });

test('deliveries and their attempts are deleted after the retention time', async () => {
  const { id: tenantId } = await app.tenant({ number: false });
  await setWebhook(app.services, tenantId, { url: 'https://shop.test/hook' });
  // The old deliveries are more than one chunk.
  await app.db.query(sql`
    with inserted as (
      insert into deliveries (tenant_id, event, body, state, created_at)
      select ${tenantId}, 'contact.created', '{}', 'delivered',
             now() - case when n <= 1203 then interval '8 days' else interval '6 days' end
      from generate_series(1, 1210) as n
      returning tenant_id, id
    )
    insert into delivery_attempts (tenant_id, delivery_id, number, started_at, duration_ms)
    select tenant_id, id, 1, now(), 1 from inserted`);
  await pruneOldDeliveries(app.services);
  const { rows } = await app.db.query(sql`
    select (select count(*) from deliveries where tenant_id = ${tenantId}) as deliveries,
           (select count(*) from delivery_attempts where tenant_id = ${tenantId}) as attempts`);
  expect(rows).toEqual([{ deliveries: 7, attempts: 7 }]);
});

test('waiting deliveries stay while the webhook is on or paused, however old, and are deleted when it is off', async () => {
  const { id: tenantId } = await app.tenant({ number: false });
  await setWebhook(app.services, tenantId, { url: 'https://shop.test/hook' });
  await app.db.query(sql`
    insert into deliveries (tenant_id, event, body, state, created_at, due_at)
    select ${tenantId}, 'contact.created', '{}', state, now() - interval '8 days',
           now() + interval '1 hour'
    from unnest(array['waiting', 'failed', 'delivered']::delivery_state[]) as state`);
  const left = async () => {
    await pruneOldDeliveries(app.services);
    const { rows } = await app.db.query<{ state: string }>(sql`
      select state from deliveries where tenant_id = ${tenantId}`);
    return rows.map(({ state }) => state);
  };
  expect(await left()).toEqual(['waiting']);
  await setPaused(app.db, defaultEndpointOf(tenantId), true);
  expect(await left()).toEqual(['waiting']);
  await switchWebhookOff(app.db, defaultEndpointOf(tenantId), fault('for_a_test', 'by hand'));
  expect(await left()).toEqual([]);
});

test('delivered reads are deleted sooner, and deleted deliveries no longer count against the quota', async () => {
  const { id: tenantId } = await app.tenant({ number: false });
  await setWebhook(app.services, tenantId, { url: 'https://shop.test/hook' });
  await app.db.query(sql`
    insert into deliveries (tenant_id, event, body, state, created_at)
    select ${tenantId}, event, 'body', state, now() - age
    from unnest(array['contact.read', 'contact.created']) as event,
         unnest(array['waiting', 'failed', 'delivered']::delivery_state[]) as state,
         unnest(array[interval '25 hours', interval '23 hours', interval '8 days']) as age`);
  await measureDeliveries(app.services);
  await pruneOldDeliveries(app.services);
  const { rows } = await app.db.query(sql`
    select event, state, count(*) from deliveries where tenant_id = ${tenantId}
    group by event, state order by event, state`);
  expect(rows).toEqual([
    { event: 'contact.created', state: 'waiting', count: 3 },
    { event: 'contact.created', state: 'delivered', count: 2 },
    { event: 'contact.created', state: 'failed', count: 2 },
    { event: 'contact.read', state: 'waiting', count: 3 },
    { event: 'contact.read', state: 'delivered', count: 1 },
    { event: 'contact.read', state: 'failed', count: 2 },
  ]);
  const usage = await app.db.query(sql`
    select kept_bytes from delivery_usage where tenant_id = ${tenantId}`);
  expect(usage.rows).toEqual([{ kept_bytes: 13 * 'body'.length }]);
});

test('deliveries of messages are kept no longer than messages', async () => {
  const { id: tenantId } = await app.tenant({ number: false });
  await setWebhook(app.services, tenantId, { url: 'https://shop.test/hook' });
  await app.db.query(sql`
    insert into deliveries (tenant_id, event, body, state, created_at)
    select ${tenantId}, event, age::text, state, now() - age
    from unnest(array['message.received', 'message.read', 'contact.created']) as event,
         unnest(array['waiting', 'delivered']::delivery_state[]) as state,
         unnest(array[interval '2 days', interval '4 days']) as age`);
  const left = async (messageRetentionDays: number) => {
    await pruneOldDeliveries({
      ...app.services,
      config: { ...app.services.config, messageRetentionDays },
    });
    const { rows } = await app.db.query<{ event: string; state: string; body: string }>(sql`
      select event, state, body from deliveries where tenant_id = ${tenantId}`);
    return rows;
  };
  expect(await left(0)).toHaveLength(12);
  const kept = await left(3);
  expect(kept).toHaveLength(10);
  expect(
    kept.filter(({ event, state }) => event.startsWith('message.') && state === 'delivered'),
  ).toEqual([
    { event: 'message.received', state: 'delivered', body: '2 days' },
    { event: 'message.read', state: 'delivered', body: '2 days' },
  ]);
  await updateTenant(app.db, tenantId, { message_retention_days: 1 });
  expect(await left(0)).toHaveLength(8);
});
