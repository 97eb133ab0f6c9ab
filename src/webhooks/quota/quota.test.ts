import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { signIn, type TestMember } from '../../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { testCommand } from '../../../test/program/command.ts';
import { doctorCommand } from '../../cli/commands/service/doctor.ts';
import { webhookCommands } from '../../cli/commands/webhooks/webhook.ts';
import { expandBatches } from '../delivering/expand-batches.ts';
import { defaultEndpointOf } from '../endpoint-key.ts';
import { redeliver } from '../log/redeliver.ts';
import { setWebhook } from '../set-webhook.ts';
import { measureDeliveries } from './measure-deliveries.ts';

const settings = { PARLEY_DELIVERY_QUOTA_WAITING: '10', PARLEY_DELIVERY_QUOTA_MB: '1' };
const app = testApp(settings);
const webhookCommand = testCommand(app, webhookCommands, () => settings);
const doctor = testCommand(app, doctorCommand, () => settings);

const url = 'https://hooks.example.com/';
const often = { countEveryMs: 0 };
const measure = () => measureDeliveries(app.services, undefined, often);
let phones = 0;

async function openShop(): Promise<{ shop: TestTenant; owner: TestMember; contactId: number }> {
  const shop = await app.tenant({ number: false });
  const contactId = await createContact(shop);
  await setWebhook(app.services, shop.id, { url });
  return { shop, owner: await signIn(app, shop), contactId };
}

async function createContact(shop: TestTenant): Promise<number> {
  const phone = `+1415555${String(++phones).padStart(4, '0')}`;
  const { status, body } = await shop.call('POST', '/contacts', { firstname: 'Ada', phone });
  expect(status).toBe(200);
  return body.data.id;
}

/** Inserts deliveries directly, without an event. */
async function insertDeliveries(
  { id }: TestTenant,
  count: number,
  { state = 'waiting', bytes = 2 }: { state?: string; bytes?: number } = {},
): Promise<void> {
  await app.db.query(sql`
    insert into deliveries (tenant_id, event, body, state)
    select ${id}, 'status.created', repeat('x', ${bytes}), ${state}::delivery_state
    from generate_series(1, ${count})`);
}

/** Lists the types of a tenant's events, after it has turned all batches into deliveries. */
async function eventsOf({ id }: TestTenant): Promise<string[]> {
  while ((await expandBatches(app.db.batched, 10)) > 0);
  const { rows } = await app.db.query<{ event: string }>(sql`
    select event from deliveries where tenant_id = ${id} order by id`);
  return rows.map(({ event }) => event);
}

async function finishAll({ id }: TestTenant): Promise<void> {
  await app.db.query(sql`
    update deliveries set state = 'delivered', finished_at = now() where tenant_id = ${id}`);
}

const quotaSeenBy = async (owner: TestMember) => (await owner.call('GET', '/webhook')).body.data;

describe('a full quota', () => {
  test('drops only reads, is shown everywhere, and ends automatically', async () => {
    const { shop, owner, contactId } = await openShop();
    const readAll = async () => {
      expect((await shop.call('GET', `/contacts/${contactId}`)).status).toBe(200);
      expect((await shop.call('GET', '/contacts')).body.data).toHaveLength(1);
      expect((await shop.call('GET', '/contacts?sort=-created_at')).status).toBe(200);
    };
    await readAll();
    expect(await eventsOf(shop)).toEqual(Array(3).fill('contact.read'));
    expect(await quotaSeenBy(owner)).toMatchObject({
      quota: { max_waiting: 10, max_mb: 1, recording: 'all', full_of: null, dropped: null },
    });

    await insertDeliveries(shop, 8);
    await measure();
    await readAll();
    expect((await shop.call('HEAD', '/contacts')).status).toBe(200);
    expect(await eventsOf(shop)).toHaveLength(3 + 8);
    const created = await createContact(shop);
    expect((await shop.call('PUT', `/contacts/${created}`, { city: 'Bonn' })).status).toBe(200);
    expect((await shop.call('DELETE', `/contacts/${created}`)).status).toBe(200);
    expect((await shop.call('POST', '/sources', { name: 'Fair' })).status).toBe(200);
    expect((await eventsOf(shop)).slice(11)).toEqual([
      'contact.created',
      'contact.updated',
      'contact.deleted',
      'source.created',
    ]);

    const seen = await eventually(async () => {
      const { quota } = await quotaSeenBy(owner);
      return quota.dropped.events > 0 && quota;
    });
    const since = seen.dropped.since;
    expect(seen).toMatchObject({
      recording: 'changes',
      full_of: 'waiting',
      dropped: { events: 3, since: expect.stringMatching(/Z$/), until: null },
    });
    expect((await webhookCommand.parley('show', shop.slug)).quota).toEqual(seen);
    const message = `More than 10 events wait to be delivered: contact.read events are dropped since ${since} (3 contact.read events so far). All others are kept.`;
    expect(await webhookCommand.run('show', shop.slug)).toContain(`quota   ${message}`);
    const { checks } = await doctor.parley();
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'webhooks', ok: false, found: `${shop.slug}: ${message}` }),
    );
    process.exitCode = undefined;
    expect(await app.services.metrics.registry.metrics()).toMatch(
      /^parley_webhook_events_dropped_total 3$/m,
    );

    await finishAll(shop);
    await measure();
    await readAll();
    expect((await eventsOf(shop)).slice(15)).toEqual(Array(3).fill('contact.read'));
    const { quota: after } = await quotaSeenBy(owner);
    expect(after).toMatchObject({
      recording: 'all',
      full_of: null,
      dropped: { events: 3, since, until: expect.stringMatching(/Z$/) },
    });
    expect(await webhookCommand.run('show', shop.slug)).toContain(
      `3 contact.read events were dropped from ${since} until ${after.dropped.until}, because the quota was full.`,
    );
  });

  test('ends only when a tenth of it is free, so that the state does not flap', async () => {
    const { shop, owner } = await openShop();
    const recording = async () => {
      await measure();
      return (await quotaSeenBy(owner)).quota.recording;
    };
    const finishOne = () =>
      app.db.query(sql`
        update deliveries set state = 'delivered' where tenant_id = ${shop.id} and id = (
          select min(id) from deliveries where tenant_id = ${shop.id} and state = 'waiting')`);
    await insertDeliveries(shop, 10);
    expect(await recording()).toBe('all');
    await insertDeliveries(shop, 1);
    expect(await recording()).toBe('changes');
    await finishOne();
    expect(await recording()).toBe('changes');
    await finishOne();
    expect(await recording()).toBe('all');
  });

  test('of one tenant does not affect another', async () => {
    const { shop } = await openShop();
    const { shop: neighbour } = await openShop();
    await insertDeliveries(shop, 11);
    await measure();
    await neighbour.call('GET', '/contacts');
    expect(await eventsOf(neighbour)).toEqual(['contact.read']);
  });

  test('can be full of bytes, including those of batches that are not yet deliveries', async () => {
    const { shop, owner } = await openShop();
    await insertDeliveries(shop, 3, { bytes: 200_000 });
    await measure();
    expect((await quotaSeenBy(owner)).quota.recording).toBe('all');
    await app.db.query(sql`
      insert into event_batches (tenant_id, event, data)
      values (${shop.id}, 'contact.read', '[' || repeat('1,', 250000) || '1]')`);
    await measure();
    expect((await quotaSeenBy(owner)).quota).toMatchObject({
      recording: 'changes',
      full_of: 'bytes',
    });
    await app.db.query(sql`delete from event_batches where tenant_id = ${shop.id}`);
    await measure();
    expect((await quotaSeenBy(owner)).quota.recording).toBe('all');
  });

  test('counts redeliveries', async () => {
    const { shop, owner } = await openShop();
    await insertDeliveries(shop, 11, { state: 'failed' });
    await measure();
    expect((await quotaSeenBy(owner)).quota.recording).toBe('all');
    expect(await redeliver(app.services, defaultEndpointOf(shop.id), { failed: true })).toBe(11);
    await insertDeliveries(shop, 1, { state: 'delivered' });
    await measure();
    expect((await quotaSeenBy(owner)).quota.recording).toBe('changes');
  });
});

describe('twice the quota', () => {
  test('switches the webhook off; switched on again, it records once there is room', async () => {
    const { shop, owner } = await openShop();
    await insertDeliveries(shop, 21);
    await measure();
    const offReason = 'More than 20 events wait to be delivered, twice the quota.';
    expect((await quotaSeenBy(owner)).webhook).toMatchObject({ on: false, off_reason: offReason });
    await createContact(shop);
    expect(await eventsOf(shop)).toHaveLength(21);

    await setWebhook(app.services, shop.id, { url });
    await measure();
    expect(await quotaSeenBy(owner)).toMatchObject({
      webhook: { on: true, off_reason: null },
      quota: { recording: 'none', full_of: 'waiting' },
    });
    expect(await webhookCommand.run('show', shop.slug)).toContain(
      `${offReason} No new events are recorded until there is room again.`,
    );
    await createContact(shop);
    expect(await eventsOf(shop)).toHaveLength(21);

    await finishAll(shop);
    await measure();
    await createContact(shop);
    expect((await eventsOf(shop)).slice(21)).toEqual(['contact.created']);
  });
});

describe('a log of more bytes than the quota', () => {
  const usageOf = async ({ id }: TestTenant) => {
    const { rows } = await app.db.query<{ kept_bytes: number; bytes: number; count: number }>(sql`
      select kept_bytes,
             (select coalesce(sum(octet_length(body)), 0)::bigint from deliveries
              where tenant_id = ${id}) as bytes,
             (select count(*) from deliveries where tenant_id = ${id}) as count
      from delivery_usage where tenant_id = ${id}`);
    return rows[0]!;
  };

  test('loses its oldest finished deliveries, and no event is dropped', async () => {
    const { shop, owner } = await openShop();
    await insertDeliveries(shop, 1, { bytes: 1_000 });
    await insertDeliveries(shop, 30, { state: 'delivered', bytes: 100_000 });
    await measure();
    // It is trimmed in chunks of a thousand deliveries. Waiting deliveries stay.
    expect(await usageOf(shop)).toEqual({ kept_bytes: 1_000, bytes: 1_000, count: 1 });
    expect((await quotaSeenBy(owner)).quota).toMatchObject({ recording: 'all', dropped: null });
  });

  test('is recounted periodically, so that rows deleted by hand no longer count', async () => {
    const { shop } = await openShop();
    await insertDeliveries(shop, 6, { bytes: 140_000 });
    await measure();
    await app.db.query(sql`
      delete from deliveries where tenant_id = ${shop.id} and id > (
        select min(id) from deliveries where tenant_id = ${shop.id})`);
    await insertDeliveries(shop, 1);
    await measureDeliveries(app.services, undefined, { ...often, recountEveryMs: 0 });
    expect(await usageOf(shop)).toEqual({ kept_bytes: 140_002, bytes: 140_002, count: 2 });
  });
});
