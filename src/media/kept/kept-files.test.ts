import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { signIn } from '../../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { startBucket } from '../../../test/servers/bucket.ts';
import { control, misbehave } from '../../../test/servers/control.ts';
import { readConfig } from '../../config.ts';
import { purgeConversations } from '../../messages/erasing/purge-conversations.ts';
import { disconnectNumber } from '../../numbers/connecting/disconnect-number.ts';
import { createNumberFinder } from '../../numbers/find-number.ts';
import { deleteTenant } from '../../tenants/delete-tenant.ts';
import { updateTenant } from '../../tenants/queries.ts';
import { download } from '../storage/download.ts';
import { createStorage } from '../storage/storage.ts';
import { type ClaimedFile, claimFiles, recordKept } from './claim-queries.ts';
import { keepFile } from './keep-file.ts';
import { announceFolder } from './media-folders.ts';
import { removeKeptFiles } from './remove-kept-files.ts';
import { startKeeping } from './start-keeping.ts';

const app = testApp({ PARLEY_MEDIA_QUOTA_MB: '1', PARLEY_MEDIA_MIN_FREE_MB: '0' });
const picture = randomBytes(50_000);
const dayMs = 86_400_000;
let stop: () => Promise<void>;

const start = () => {
  const services = { ...app.services, numbers: createNumberFinder(app.services) };
  stop = startKeeping({ ...services, lookEveryMs: 50 });
};
beforeAll(start);
afterAll(() => stop());

let phones = 0;

/** Sends a file from a new phone to the tenant, and returns its message once it has arrived. */
async function receive(shop: TestTenant, bytes = picture) {
  const phone = `1415556${String(++phones).padStart(4, '0')}`;
  await control(app, 'POST', '/simulator/phones', { phone });
  const { phone_number_id } = shop.number;
  await fetch(
    `${app.simulator.url}/simulator/phones/${phone}/media?phone_number_id=${phone_number_id}&filename=a.png`,
    { method: 'POST', headers: { 'content-type': 'image/png' }, body: new Uint8Array(bytes) },
  );
  return eventually(async () => {
    const { rows } = await app.db.query<{ id: number; media: string }>(sql`
      select id, content ->> 'media_id' as media from stored_messages
      where tenant_id = ${shop.id} and phone = ${`+${phone}`}`);
    return rows[0] && { ...rows[0], phone: `+${phone}` };
  });
}

async function shopThatKeeps(days: number): Promise<TestTenant> {
  const shop = await app.tenant();
  await updateTenant(app.db, shop.id, { keep_files_days: days });
  return shop;
}

const forget = (media: string) => control(app, 'POST', `/simulator/media/${media}/forget`);
const pathOf = (shop: TestTenant, id: number) =>
  join(app.services.config.dataDir, 'media', String(shop.id), `message-${id}`);
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

async function keptRow(shop: TestTenant, id: number) {
  const { rows } = await app.db.query<{
    is_kept: boolean;
    attempts: number;
    sha256: Buffer | null;
    size: number;
  }>(sql`
    select kept_at is not null as is_kept, attempts, sha256, size from kept_files
    where tenant_id = ${shop.id} and message_id = ${id}`);
  return rows[0];
}

/** Whether a file that was given up has no row any more, once the worker has looked. */
async function isForgotten(shop: TestTenant, id: number) {
  await removeKeptFiles(app.services);
  return (await keptRow(shop, id)) === undefined;
}

const kept = (shop: TestTenant, id: number) =>
  eventually(async () => {
    const row = await keptRow(shop, id);
    return row?.is_kept && row;
  });

async function total(shop: TestTenant) {
  const { body } = await (await signIn(app, shop)).call('GET', '/inbound-settings');
  return [body.data.kept_files, body.data.kept_bytes];
}

async function outcomes(): Promise<Record<string, number>> {
  const { values } = await app.services.metrics.keptFiles.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
}

describe('a received file', () => {
  test('is kept, and served with ranges after the network has forgotten it', async () => {
    const shop = await shopThatKeeps(30);
    const { id, media } = await receive(shop);
    expect(await kept(shop, id)).toMatchObject({
      size: picture.length,
      sha256: createHash('sha256').update(picture).digest(),
    });
    expect((await readFile(pathOf(shop, id))).equals(picture)).toBe(true);
    expect(await readdir(join(app.services.config.dataDir, 'media', 'incoming'))).toEqual([]);
    expect(await total(shop)).toEqual([1, picture.length]);

    await forget(media);
    const get = async (range?: string) => {
      const response = await fetch(`${app.url}/api/${shop.slug}/media/message-${id}`, {
        headers: { authorization: `Bearer ${shop.token}`, ...(range && { range }) },
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      return { status: response.status, headers: response.headers, bytes };
    };
    const whole = await get();
    expect([whole.status, whole.bytes.equals(picture)]).toEqual([200, true]);
    expect(whole.headers.get('content-type')).toBe('image/png');
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment/);
    for (const [range, first, end] of [
      ['bytes=2-5', 2, 6],
      ['bytes=49000-', 49_000, 50_000],
      ['bytes=-10', 49_990, 50_000],
      ['bytes=49999-60000', 49_999, 50_000],
    ] as const) {
      const { status, headers, bytes } = await get(range);
      expect([status, headers.get('content-range')]).toEqual([
        206,
        `bytes ${first}-${end - 1}/50000`,
      ]);
      expect(bytes.equals(picture.subarray(first, end))).toBe(true);
    }
    expect((await get('bytes=50000-')).status).toBe(416);
    for (const range of ['bytes=0-1,4-5', 'bytes=5-2', 'bytes=x-']) {
      expect((await get(range)).status).toBe(200);
    }

    const other = await app.tenant();
    expect((await other.call('GET', `/media/message-${id}`)).status).toBe(404);
    const member = await signIn(app, shop, 'staff');
    const shown = await fetch(`${app.url}/dashboard-api/${shop.slug}/conversation/media/${id}`, {
      headers: { cookie: member.cookie },
    });
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await shown.arrayBuffer()).equals(picture)).toBe(true);

    // A copy that somebody deleted by hand: the network is asked, which has forgotten it.
    await rm(pathOf(shop, id));
    expect((await get()).status).toBe(404);
  });

  test('is not kept for a tenant that does not want it', async () => {
    const shop = await app.tenant();
    const { id, media } = await receive(shop);
    expect(await keptRow(shop, id)).toBeUndefined();
    await forget(media);
    expect((await shop.call('GET', `/media/message-${id}`)).status).toBe(404);
  });

  test('is tried again while the network fails or refuses the number, and given up when it has lost the file', async () => {
    const [shop, other] = [await shopThatKeeps(30), await shopThatKeeps(30)];
    await misbehave(app, other, { lookupStatus: 503 });
    const tryOnce = async (lookupStatus: number) => {
      await misbehave(app, shop, { lookupStatus });
      const received = await receive(shop);
      await eventually(async () => (await keptRow(shop, received.id))?.attempts === 1);
      const shown = await shop.call('GET', `/media/message-${received.id}`);
      expect([shown.status, shown.headers['retry-after']]).toEqual([500, '10']);
      return received;
    };
    const first = await tryOnce(503);
    // For now, the access token lacks a permission.
    const second = await tryOnce(403);
    const third = await receive(other);
    await eventually(async () => (await keptRow(other, third.id))?.attempts === 1);
    await disconnectNumber(app.db, other.id, other.number.phone_number_id);
    // It may be connected again.
    const away = await other.call('GET', `/media/message-${third.id}`);
    expect([away.status, away.headers['retry-after']]).toEqual([500, '10']);
    await forget(second.media);
    await misbehave(app, shop, { lookupStatus: null });
    await app.moveClock(60_000);
    await kept(shop, first.id);
    await eventually(() => isForgotten(shop, second.id));
    await eventually(async () => (await keptRow(other, third.id))?.attempts === 2);
    expect(await isForgotten(other, third.id)).toBe(false);
    expect(await outcomes()).toMatchObject({ gone: 1 });
  });

  test('is not given up while the access token may not use the number, or the file host says that it has no such file', async () => {
    const shop = await shopThatKeeps(30);
    const { business_account_id, phone_number_id } = shop.number;
    // Somebody else has the account now, so the network knows the token but not its number.
    const other = await control(app, 'POST', '/simulator/numbers', { business_account_id });
    const giveToken = (token: string) =>
      control(app, 'POST', '/simulator/numbers', { phone_number_id, access_token: token });
    await giveToken('EAAnew');
    const second = await receive(shop);
    await eventually(async () => (await keptRow(shop, second.id))?.attempts === 1);
    expect((await shop.call('GET', `/media/message-${second.id}`)).status).toBe(500);
    await giveToken(other.access_token);
    await misbehave(app, shop, { fileStatus: 404 });
    const third = await receive(shop);
    await eventually(async () => (await keptRow(shop, third.id))?.attempts === 1);
    expect((await shop.call('GET', `/media/message-${third.id}`)).status).toBe(500);
    await misbehave(app, shop, { fileStatus: null });
    await app.moveClock(60_000);
    await kept(shop, second.id);
    await kept(shop, third.id);
  });

  test('waits while the quota of its tenant is full, until the network forgets it', async () => {
    const shop = await shopThatKeeps(30);
    const large = await receive(shop, Buffer.alloc(1_200_000));
    const small = await receive(shop);
    await kept(shop, small.id);
    await eventually(async () => ((await outcomes()).full ?? 0) >= 1);
    expect(await exists(pathOf(shop, large.id))).toBe(false);
    expect(await keptRow(shop, large.id)).toMatchObject({ is_kept: false });
    await app.moveClock(7 * dayMs);
    await eventually(() => isForgotten(shop, large.id));
  });

  test('is downloaded by another process if one dies, which can record nothing any more', async () => {
    await stop();
    const shop = await shopThatKeeps(30);
    const { id } = await receive(shop);
    const claim = { inFlight: new Map(), maxPerTenant: 1, limit: 10, leaseMs: 10_000 };
    const claims = await claimFiles(app.db.batched, claim, app.services.storage);
    const lost = claims.find(({ message_id }) => message_id === id) as ClaimedFile;
    expect(await claimFiles(app.db.batched, claim, app.services.storage)).toEqual([]);
    start();
    await app.moveClock(11_000);
    await kept(shop, id);
    const copy = { size: 1, sha256: randomBytes(32), mime_type: 'image/png' };
    expect(await recordKept(app.db, lost, copy)).toBe(false);
    expect(await total(shop)).toEqual([1, picture.length]);
  });
});

test('files are not kept, and none is given up, by processes that do not share the folder of the copies', async () => {
  const shop = await shopThatKeeps(30);
  const owner = await signIn(app, shop);
  const canKeep = async () =>
    (await owner.call('GET', '/inbound-settings')).body.data.can_keep_files;
  const [first, second] = [await receive(shop), await receive(shop)];
  await Promise.all([kept(shop, first.id), kept(shop, second.id)]);
  await announceFolder(app.services);
  expect(await canKeep()).toBe(true);

  // From now on, the app is a process on a machine without the copies.
  await app.db.query(sql`update media_folders set id = gen_random_uuid() where is_home`);
  expect(await canKeep()).toBe(false);
  const set = (days: number) => owner.call('PUT', '/inbound-settings', { keep_files_days: days });
  const refused = await set(20);
  expect([refused.status, refused.body.errors.keep_files_days[0]]).toEqual([
    422,
    expect.stringContaining('PARLEY_MEDIA_BUCKET'),
  ]);
  await rm(pathOf(shop, first.id));
  const get = () => shop.call('GET', `/media/message-${first.id}`);
  expect((await get()).status).toBe(200);
  await forget(first.media);
  const missing = await get();
  expect([missing.status, missing.body.code]).toEqual([500, 'network_unavailable']);
  expect(missing.headers['retry-after']).toBeDefined();
  await app.db.query(sql`delete from messages where tenant_id = ${shop.id} and id = ${first.id}`);
  await removeKeptFiles(app.services);
  expect(await keptRow(shop, first.id)).toMatchObject({ is_kept: true });
  const third = await receive(shop);
  await eventually(async () => (await keptRow(shop, third.id))?.attempts === 1);

  // The copies are lost, so the operator lets another folder become the home.
  await app.db.query(sql`delete from media_folders where is_home`);
  await app.db.query(
    sql`insert into media_folders (id, seen_at) values (gen_random_uuid(), now())`,
  );
  expect(await canKeep()).toBe(false);
  await app.moveClock(11 * 60_000);
  expect(await canKeep()).toBe(true);
  await kept(shop, third.id);
  await removeKeptFiles(app.services);
  expect([await keptRow(shop, first.id), await exists(pathOf(shop, second.id))]).toEqual([
    undefined,
    true,
  ]);
  expect((await set(0)).status).toBe(200);
});

describe('a kept file is removed', () => {
  test('after its days, and when they are shortened or set to 0', async () => {
    const shop = await shopThatKeeps(2);
    const { id } = await receive(shop);
    await kept(shop, id);
    await app.moveClock(1.9 * dayMs);
    await removeKeptFiles(app.services);
    expect(await exists(pathOf(shop, id))).toBe(true);
    await app.moveClock(0.2 * dayMs);
    await removeKeptFiles(app.services);
    expect([await exists(pathOf(shop, id)), await keptRow(shop, id)]).toEqual([false, undefined]);
    expect(await total(shop)).toEqual([0, 0]);

    const next = await receive(shop);
    await kept(shop, next.id);
    await updateTenant(app.db, shop.id, { keep_files_days: 0 });
    await removeKeptFiles(app.services);
    expect(await exists(pathOf(shop, next.id))).toBe(false);
  });

  test('however many others cannot be, which is a failure of the worker and tried again in an hour', async () => {
    const [stuck, shop] = [await shopThatKeeps(30), await shopThatKeeps(30)];
    const { id } = await receive(shop);
    await kept(shop, id);
    await app.db.query(sql`
      insert into kept_files (tenant_id, message_id, number_id, network_id, is_removed, due_at)
      select ${stuck.id}, n, ${stuck.number.id}, n::text, true, null from generate_series(1, 500) as n`);
    for (let n = 1; n <= 500; n++) await mkdir(pathOf(stuck, n), { recursive: true });
    const left = async () => {
      const { rows } = await app.db.query<{ count: number }>(sql`
        select count(*) from kept_files where tenant_id = ${stuck.id}`);
      return rows[0]!.count;
    };
    await app.db.query(sql`delete from messages where tenant_id = ${shop.id} and id = ${id}`);
    await expect(removeKeptFiles(app.services)).rejects.toThrow('500 kept files');
    expect(await exists(pathOf(shop, id))).toBe(false);
    await removeKeptFiles(app.services);
    expect(await left()).toBe(500);

    await rm(join(pathOf(stuck, 1), '..'), { recursive: true });
    await app.moveClock(61 * 60_000);
    await removeKeptFiles(app.services);
    expect(await left()).toBe(0);
  });

  test('from a bucket, if it was stored there and never recorded', async () => {
    await stop();
    const bucket = await startBucket();
    const { dataDir } = app.services.config;
    const storage = createStorage(readConfig({ ...bucket.settings, PARLEY_DATA_DIR: dataDir }));
    const services = { ...app.services, storage, numbers: createNumberFinder(app.services) };
    const shop = await shopThatKeeps(30);
    const claimOf = async (id: number) => {
      const limits = { inFlight: new Map(), maxPerTenant: 10, limit: 100, leaseMs: 10_000 };
      const claims = await claimFiles(app.db.batched, limits, storage);
      return claims.find(({ message_id }) => message_id === id)!;
    };
    const deleteMessage = (id: number) =>
      app.db.query(sql`delete from messages where tenant_id = ${shop.id} and id = ${id}`);
    const storeOnly = async (claimed: ClaimedFile) => {
      const content = Readable.from([picture]);
      await storage.put(claimed, await download(await storage.incoming.make(), content));
      expect(bucket.objects.size).toBe(1);
    };
    const isRemoved = async (id: number) => {
      await removeKeptFiles(services);
      expect([bucket.objects.size, await keptRow(shop, id)]).toEqual([0, undefined]);
    };

    // The message is deleted during the download.
    const first = await receive(shop);
    const downloading = await claimOf(first.id);
    await deleteMessage(first.id);
    expect(await keepFile(services, downloading)).toEqual({ outcome: 'unwanted' });
    expect(bucket.objects.size).toBe(1);
    await isRemoved(first.id);

    // The process is killed before it records the copy. Then the message is deleted.
    const second = await receive(shop);
    await storeOnly(await claimOf(second.id));
    await deleteMessage(second.id);
    await app.moveClock(11_000);
    await isRemoved(second.id);

    // The same, and the next attempt gives the file up.
    const third = await receive(shop);
    await storeOnly(await claimOf(third.id));
    await forget(third.media);
    await app.moveClock(11_000);
    expect(await keepFile(services, await claimOf(third.id))).toEqual({ outcome: 'gone' });
    await isRemoved(third.id);

    await storage.close();
    bucket.close();
    start();
  });

  test('with its contact, and with its tenant, but not with those of others', async () => {
    const [shop, other] = [await shopThatKeeps(30), await shopThatKeeps(30)];
    const [gone, stays, foreign] = [await receive(shop), await receive(shop), await receive(other)];
    await Promise.all([kept(shop, gone.id), kept(shop, stays.id), kept(other, foreign.id)]);
    const { body } = await shop.call('GET', `/contacts?phone=${encodeURIComponent(gone.phone)}`);
    expect((await shop.call('DELETE', `/contacts/${body.data[0].id}`)).status).toBe(200);
    expect((await shop.call('GET', `/media/message-${gone.id}`)).status).toBe(404);
    await purgeConversations(app.db);
    await removeKeptFiles(app.services);
    const left = async () =>
      Promise.all([
        exists(pathOf(shop, gone.id)),
        exists(pathOf(shop, stays.id)),
        exists(pathOf(other, foreign.id)),
      ]);
    expect(await left()).toEqual([false, true, true]);

    await deleteTenant(app.db, shop.id);
    await removeKeptFiles(app.services);
    expect(await left()).toEqual([false, false, true]);
    expect(await exists(join(pathOf(shop, 0), '..'))).toBe(false);
    expect(await keptRow(shop, stays.id)).toBeUndefined();
  });
});
