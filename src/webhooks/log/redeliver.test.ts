import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/program/app.ts';
import { fault } from '../../platform/errors/fault.ts';
import { defaultEndpointOf } from '../endpoint-key.ts';
import { switchWebhookOff } from '../queries.ts';
import { setWebhook } from '../set-webhook.ts';
import { redeliver } from './redeliver.ts';

const app = testApp();

test('a range of any size is redelivered once, and nothing outside it', async () => {
  const { id: tenantId } = await app.tenant({ number: false });
  const { id: otherId } = await app.tenant({ number: false });
  for (const id of [tenantId, otherId]) {
    await setWebhook(app.services, id, { url: 'https://shop.test/hook' });
    await app.db.query(sql`
      insert into deliveries (tenant_id, event, body, state, tries, finished_at, created_at)
      select ${id}, 'contact.created', '{}',
             (array['failed', 'delivered']::delivery_state[])[1 + n % 2], 3, now(), timestamptz '2026-11-01T00:00Z' + n * interval '1 minute'
      from generate_series(0, 8999) as n`);
  }
  // 2026-11-01 00:00 and 2026-11-04 00:00 are 4,320 minutes apart.
  const since = new Date('2026-11-01T00:00Z');
  const until = new Date('2026-11-04T00:00Z');
  expect(await redeliver(app.services, defaultEndpointOf(tenantId), { since, until })).toBe(4_320);
  expect(await redeliver(app.services, defaultEndpointOf(tenantId), { since, until })).toBe(0);
  expect(await redeliver(app.services, defaultEndpointOf(tenantId), { failed: true })).toBe(
    (9_000 - 4_320) / 2,
  );
  const { rows } = await app.db.query(sql`
    select tenant_id, count(*) as waiting, max(tries) as tries,
           bool_and(due_at <= now() and finished_at is null) as due
    from deliveries where state = 'waiting' group by tenant_id`);
  expect(rows).toEqual([
    { tenant_id: tenantId, waiting: 4_320 + (9_000 - 4_320) / 2, tries: 0, due: true },
  ]);
});

test('nothing is redelivered while the webhook is off, or for another tenant', async () => {
  const { id: tenantId } = await app.tenant({ number: false });
  const { id: otherId } = await app.tenant({ number: false });
  await expect(
    redeliver(app.services, defaultEndpointOf(tenantId), { failed: true }),
  ).rejects.toThrow('Not found.');
  for (const id of [tenantId, otherId]) {
    await setWebhook(app.services, id, { url: 'https://shop.test/hook' });
  }
  const { rows } = await app.db.query<{ id: number }>(sql`
    insert into deliveries (tenant_id, event, body, state)
    values (${tenantId}, 'contact.created', '{}', 'failed') returning id`);
  const redelivery = { id: rows[0]!.id };
  await expect(redeliver(app.services, defaultEndpointOf(otherId), redelivery)).rejects.toThrow(
    'Not found.',
  );
  await switchWebhookOff(app.db, defaultEndpointOf(tenantId), fault('for_a_test', 'by hand'));
  await expect(redeliver(app.services, defaultEndpointOf(tenantId), redelivery)).rejects.toThrow(
    'The webhook is off.',
  );
});
