import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { testApp } from '../../test/program/app.ts';
import { isoTime } from '../platform/database/iso-time.ts';
import { expandBatches } from './delivering/expand-batches.ts';
import { defaultEndpointOf } from './endpoint-key.ts';
import { redeliver } from './log/redeliver.ts';
import { recordEvents, recordedEvents, recordedReads } from './record-events.ts';
import { eventTypes } from './schema.ts';
import { sendTestEvent } from './send-test-event.ts';
import { setWebhook } from './set-webhook.ts';

const app = testApp();

async function tenantWithWebhook(events: readonly string[] = eventTypes, off = false) {
  const { id } = await app.tenant({ number: false });
  await app.db.query(sql`
    insert into webhooks (tenant_id, url, events, secret, off_since)
    values (${id}, 'https://shop.test/hook', ${events}, '\\x00', case when ${off} then now() end)`);
  return id;
}

async function bodies(tenantId: number) {
  const { rows } = await app.db.query<{ body: string }>(sql`
    select body from deliveries where tenant_id = ${tenantId} order by id`);
  return rows.map((row) => JSON.parse(row.body));
}

const two = [
  { type: 'contact.created' as const, data: { id: 1, firstname: 'Aïda "A"' } },
  { type: 'contact.read' as const, data: { id: 2 } },
];

describe('recorded events', () => {
  test('are stored in order, as the body that is sent', async () => {
    const tenantId = await tenantWithWebhook();
    await recordEvents(app.db, tenantId, two);
    expect(await bodies(tenantId)).toEqual(two.map(({ type, data }) => ({ event: type, data })));
  });

  test('are only those that the webhook wants', async () => {
    const tenantId = await tenantWithWebhook(['contact.read']);
    await recordEvents(app.db, tenantId, two);
    expect(await bodies(tenantId)).toEqual([{ event: 'contact.read', data: { id: 2 } }]);
  });

  test.each([
    ['chose no events', undefined, 0],
    ['chose every event of the contract', [...eventTypes], 0],
    ['chose the family', ['status.deleted', 'contact.*'], 1],
  ])('of a type of a later version, for a webhook that %s: %i', async (_, events, recorded) => {
    const { id } = await app.tenant({ number: false });
    const url = 'https://hooks.example.com/';
    await setWebhook(app.services, id, { url, events });
    // A new URL without events keeps the choice.
    await setWebhook(app.services, id, { url });
    await app.db.query(sql`
      with event as (
        select ${id}::bigint as tenant_id, 'contact.opted_out' as type, '{"id":7}' as data
      ), ${recordedEvents} select 1`);
    expect(await bodies(id)).toHaveLength(recorded);
  });

  test('are none while the webhook is off, or for a tenant without one', async () => {
    const off = await tenantWithWebhook(eventTypes, true);
    await recordEvents(app.db, off, two);
    expect(await bodies(off)).toEqual([]);
    const { id } = await app.tenant({ number: false });
    await recordEvents(app.db, id, two);
    expect(await bodies(id)).toEqual([]);
  });

  test('are rolled back with the transaction that recorded them', async () => {
    const tenantId = await tenantWithWebhook();
    const undone = app.db.transaction(async (tx) => {
      await recordEvents(tx, tenantId, two);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await bodies(tenantId)).toEqual([]);
  });

  test('can be part of the statement that makes the change', async () => {
    const tenantId = await tenantWithWebhook(['contact.created']);
    const other = await tenantWithWebhook(['contact.deleted']);
    await app.db.batched.query(sql`
      with event as (
        select tenant_id, 'contact.created' as type,
               json_build_object('id', 7, 'created_at', ${isoTime(sql`at`)}) as data
        from unnest(${[tenantId, other]}::bigint[]) as tenant_id,
             cast('2026-11-21 12:00:00.5+02' as timestamptz) as at
      ), ${recordedEvents}
      select 1`);
    expect(await bodies(tenantId)).toEqual([
      { event: 'contact.created', data: { id: 7, created_at: '2026-11-21T10:00:00.500Z' } },
    ]);
    expect(await bodies(other)).toEqual([]);
  });
});

describe('the delivering processes are notified', () => {
  const event = (tenantId: number) => sql`
    event as (select ${tenantId}::bigint as tenant_id, 'contact.read' as type, '{"id":7}' as data)`;
  const ways: Record<string, (tenantId: number) => Promise<unknown>> = {
    'events beside a change': (tenantId) => recordEvents(app.db, tenantId, two),
    'events of a change': (tenantId) =>
      app.db.query(sql`with ${event(tenantId)}, ${recordedEvents} select 1`),
    'a test': (tenantId) => sendTestEvent(app.services, defaultEndpointOf(tenantId)),
  };
  test.each(Object.keys(ways))('by %s', async (way) => {
    const heard = await listen();
    const tenantId = await tenantWithWebhook();
    await ways[way]!(tenantId);
    await vi.waitFor(() => expect(heard).toContain(String(tenantId)));
  });

  test('by a batch, by the deliveries made from it, and by a redelivery', async () => {
    const heard = await listen();
    const tenantId = await tenantWithWebhook();
    await app.db.query(sql`
      with ${event(tenantId)}, ${recordedReads(tenantId)} select 1`);
    await vi.waitFor(() => expect(heard).toEqual(['', 'batch']));

    expect(await expandBatches(app.db, 10)).toBe(1);
    await vi.waitFor(() => expect(heard).toEqual(['', 'batch', String(tenantId)]));

    await app.db.query(sql`
      update deliveries set state = 'failed', finished_at = now() where tenant_id = ${tenantId}`);
    expect(await redeliver(app.services, defaultEndpointOf(tenantId), { failed: true })).toBe(1);
    await vi.waitFor(() =>
      expect(heard).toEqual(['', 'batch', String(tenantId), String(tenantId)]),
    );
  });

  test('not by events that the webhook does not want', async () => {
    const heard = await listen();
    const [off, on] = [await tenantWithWebhook(eventTypes, true), await tenantWithWebhook()];
    await recordEvents(app.db, off, two);
    await recordEvents(app.db, on, two);
    await vi.waitFor(() => expect(heard).toEqual(['', String(on)]));
  });
});

/** Collects the payloads of the notifications from now on. The first one is ''. */
async function listen(): Promise<string[]> {
  const heard: string[] = [];
  onTestFinished(await app.db.listen('deliveries', (payload) => heard.push(payload)));
  return heard;
}
