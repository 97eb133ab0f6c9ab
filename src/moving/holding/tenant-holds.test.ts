import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { holdLocks } from '../../../test/database/locks.ts';
import { sentTo, testBot, write } from '../../../test/features/bots.ts';
import { postCallback } from '../../../test/features/post-callback.ts';
import { rowsOfTenant } from '../../../test/features/rows-of-tenant.ts';
import { signIn, type TestMember } from '../../../test/features/sign-in.ts';
import { post, testStore, wooHeaders } from '../../../test/features/stores.ts';
import { call, type TestTenant, testApp } from '../../../test/program/app.ts';
import { misbehave } from '../../../test/servers/control.ts';
import { claimAnswers } from '../../bots/answering/answer-queries.ts';
import { claimFiles } from '../../media/kept/claim-queries.ts';
import { findSettledAliases, markSeenAliases } from '../../messages/identities/new-aliases.ts';
import { holdLockClass, schemaLockClass } from '../../platform/database/advisory-locks.ts';
import { claimWork } from '../../platform/jobs/claim-work.ts';
import { schemaVersion } from '../../platform/migrating/schema-version.ts';
import { claimStoreEvents } from '../../stores/processing/claim-events.ts';
import type { StoreRow } from '../../stores/queries.ts';
import { claimDeliveries } from '../../webhooks/delivering/claim-deliveries.ts';
import { defaultEndpointOf, endpointKey } from '../../webhooks/endpoint-key.ts';
import { recordEvents } from '../../webhooks/record-events.ts';
import { setWebhook } from '../../webhooks/set-webhook.ts';
import { deleteMove, type MoveState, startMove } from '../move-queries.ts';
import { holdTenant } from './hold-tenant.ts';

const app = testApp({ PARLEY_CELL: 'one' });
const hello = { type: 'text', phone_number: '+14155550123', message: 'Hello.' };
let shop: TestTenant;
let store: StoreRow;
let owner: TestMember;

beforeAll(async () => {
  // As `parley serve` does.
  await app.db.lockForLife(schemaLockClass, schemaVersion);
  await app.services.holds.watch();
  shop = await app.tenant();
  store = await testStore(app, shop);
  owner = await signIn(app, shop);
});
afterAll(() => app.services.holds.close());

/** Begins a move of the tenant, and brings it into a state. */
async function setMove(state: MoveState, id = 1): Promise<void> {
  await app.db.query(sql`
    insert into tenant_moves (tenant_id, id, state, other_cell, held_at)
    values (${shop.id}, ${id}, ${state}, 'two', now())
    on conflict (tenant_id) do update set state = excluded.state`);
}

/** Ends the move, and waits until this process knows it. */
async function end(id = 1): Promise<void> {
  await deleteMove(app.db, shop.id, id);
  await eventually(async () => {
    const { rows } = await app.db.query(sql`
      select from pg_locks where locktype = 'advisory' and classid = ${holdLockClass}`);
    return rows.length === 0;
  });
}

const order = '{"id":1}';
const postOrder = () => post(app, store, order, wooHeaders('order.created', order));

describe('the waiting work of a tenant', () => {
  beforeAll(async () => {
    await setWebhook(app.services, shop.id, { url: 'https://shop.example/' });
    await recordEvents(app.db, shop.id, [{ type: 'source.updated', data: { id: 1 } }]);
    await postOrder();
    await testBot(app, shop, { match: 'any', reply: 'Here' });
    await write(app, shop, '+14155550101', 'Hello');
    await eventually(async () => {
      const { rows } = await app.db.query(sql`select from bot_answers`);
      return rows.length > 0;
    });
    await app.db.query(sql`
      insert into kept_files (tenant_id, message_id, number_id, network_id)
      values (${shop.id}, 1, ${shop.number.id}, '1')`);
    await app.db.query(
      sql`insert into new_aliases (tenant_id, identity) values (${shop.id}, 'US.1')`,
    );
  });

  /** Claims one of each kind for no time, so that it can be claimed again. */
  async function claim() {
    const { db, services } = app;
    const fair = { inFlight: new Map(), maxPerTenant: 1, limit: 1, leaseMs: 0 };
    const endpoint = endpointKey(defaultEndpointOf(shop.id));
    await db.query(sql`update new_aliases set seen_at = null`);
    await markSeenAliases(db);
    const { rows: seen } = await db.query(
      sql`select from new_aliases where seen_at is not null limit 1`,
    );
    await db.query(sql`update new_aliases set seen_at = now() - interval '1 hour'`);
    return {
      deliveries: await claimDeliveries(
        db,
        [{ endpoint, limit: 1 }],
        { ms: 0, claimer: 1 },
        { firstDelayMs: 0 },
      ),
      events: await claimStoreEvents(db, [{ tenantId: shop.id, limit: 1 }], { leaseMs: 0 }),
      answers: await claimAnswers(db, fair),
      files: await claimFiles(db, fair, services.storage),
      seen,
      aliases: await findSettledAliases(db, 1),
    };
  }

  test.each<[MoveState | 'unmoved', number]>([
    ['unmoved', 1],
    ['copying', 1],
    ['held', 0],
    ['cancelling', 0],
    ['moved', 0],
    ['arriving', 0],
    ['arrived', 0],
  ])('is claimed only in the cell where it serves: %s', async (state, count) => {
    if (state !== 'unmoved') await setMove(state);
    const claimed = Object.entries(await claim()).map(([kind, rows]) => [kind, rows.length]);
    const kinds = ['deliveries', 'events', 'answers', 'files', 'seen', 'aliases'];
    expect(claimed).toEqual(kinds.map((kind) => [kind, count]));
    await app.db.query(sql`delete from tenant_moves`);
  });
});

async function stored() {
  const { contacts, messages, numbers, store_events } = await rowsOfTenant(app, shop.slug);
  return { contacts, messages, numbers, store_events };
}

test.each<[MoveState, number]>([
  ['held', 200],
  ['moved', 500],
])(
  'a tenant that is %s takes no writes in any way, and reads of it are %i',
  async (state, status) => {
    const contact = { firstname: 'Ada', phone: '+14155550107' };
    const path = `/contacts/${(await shop.call('POST', '/contacts', contact)).body.data.id}`;
    const before = await stored();
    await setMove(state);
    await app.services.holds.watch();
    const message = { from: '14155550108', id: 'wamid.1', timestamp: '1', type: 'text' };
    const writes = [
      () => postCallback(app, shop, { messages: [{ ...message, text: { body: 'Hello' } }] }),
      postOrder,
      () => owner.call('PUT', path, { ...contact, firstname: 'Grace' }),
      () => shop.call('PUT', path, { ...contact, firstname: 'Grace' }),
      () => shop.call('POST', '/messages/send', hello),
    ];
    const refused = {
      status: 500,
      headers: { 'retry-after': '2' },
      body: { code: 'tenant_moving' },
    };
    for (const write of writes) expect(await write()).toMatchObject(refused);
    const callback = `/whatsapp/callbacks/${shop.number.callback_id}`;
    const wrong = { 'x-hub-signature-256': 'sha256=00' };
    expect((await call(app, 'POST', callback, '{}', wrong)).status).toBe(401);
    const reads = [() => owner.call('GET', '/overview'), () => shop.call('GET', '/contacts')];
    for (const read of reads)
      expect(await read()).toMatchObject(status === 200 ? { status } : refused);
    expect(await stored()).toEqual(before);
    await end();
    expect((await shop.call('DELETE', path)).status).toBe(200);
  },
);

test('a hold begins once the outcome of a send in progress is stored, and its lock ends with it', async () => {
  await misbehave(app, shop, { delayMs: 1_200 });
  const sending = shop.call('POST', '/messages/send', hello);
  const statuses = async () => {
    const { rows } = await app.db.query<{ status: string }>(sql`
      select status from stored_messages
      where tenant_id = ${shop.id} and phone = ${hello.phone_number}`);
    return rows.map(({ status }) => status);
  };
  await eventually(async () => (await statuses()).length > 0);
  const move = { tenant_id: shop.id, id: 2 };
  await startMove(app.db, shop.id, { id: move.id, otherCell: 'two' });
  await holdTenant(app.db, move, async () => {});
  // On a slow machine, the network reports the delivery before the hold begins.
  expect(await statuses()).toEqual([expect.stringMatching(/^(sent|delivered)$/)]);
  expect((await sending).status).toBe(200);
  expect(await sentTo(app, shop)).toHaveLength(1);
  await misbehave(app, shop, { delayMs: null });
  await end(move.id);
});

test('work that is being claimed when a tenant is held is waited for', async () => {
  const { inProgress } = app.services;
  const claim = Promise.withResolvers<{ tenant_id: number }[]>();
  const work = Promise.withResolvers<void>();
  let claims = 0;
  const stop = claimWork({
    ...app.services,
    what: 'rows of a test',
    channel: 'test',
    maxInFlight: 1,
    onNotify: () => {},
    findWork: () => {},
    claim: () => (claims++ === 0 ? claim.promise : undefined),
    msUntilDue: () => 60_000,
    work: () => work.promise,
  });
  const ended: string[] = [];
  const waiting = inProgress.untilNone(shop.id).then(() => ended.push('wait'));
  claim.resolve([{ tenant_id: shop.id }]);
  await app.db.query(sql`select`);
  ended.push('work');
  work.resolve();
  await waiting;
  await stop();
  expect(ended).toEqual(['work', 'wait']);
});

test('a hold gives up if a process goes on writing, or an older transaction stays open', async () => {
  const transaction = await holdLocks(app, 'select txid_current()');
  const writing = Promise.withResolvers<void>();
  const written = app.services.holds.write(shop.id, () => writing.promise);
  const move = { tenant_id: shop.id, id: 3 };
  await startMove(app.db, shop.id, { id: move.id, otherCell: 'two' });
  await expect(holdTenant(app.db, move, async () => {}, 100)).rejects.toThrow(
    /^The tenant still works: 1 processes have not stopped .*, 1 transactions that began before are still open\.$/,
  );
  await transaction.query('commit');
  writing.resolve();
  await written;
  await end(move.id);
});
