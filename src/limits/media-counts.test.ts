import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { holdLocks, lockWaiters } from '../../test/database/locks.ts';
import { setCounts } from '../../test/features/token-counts.ts';
import { type TestResponse, type TestTenant, testApp } from '../../test/program/app.ts';
import { moveToFreshMinute } from '../../test/program/clock.ts';
import { syncTemplates } from '../templates/syncing/sync-templates.ts';

const app = testApp();
let phones = 0;
/** Each message goes to another phone, so that the network's own limits do not matter. */
const to = () => ({ phone_number: `+1415555${1000 + phones++}` });
let files: Server;
let fileUrl: string;
const fetched: string[] = [];

beforeAll(async () => {
  files = createServer((request, response) => {
    fetched.push(request.url!);
    response.setHeader('content-type', 'image/png');
    response.end('the file');
  });
  files.listen(0, '127.0.0.1');
  await once(files, 'listening');
  fileUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
});
afterAll(() => files.close());

/** A file is cached for some seconds, so each tenant has its own. */
const urlOf = (shop: TestTenant, path: string) => `${fileUrl}/${shop.slug}${path}`;
const fetchedOf = ({ slug }: TestTenant) =>
  fetched.filter((path) => path.startsWith(`/${slug}/`)).length;

const sendText = (shop: TestTenant) =>
  shop.call('POST', '/messages/send', { ...to(), type: 'text', message: 'Hello' });

const sendFile = (shop: TestTenant, path: string) =>
  shop.call('POST', '/messages/media', {
    ...to(),
    type: 'image',
    media_url: urlOf(shop, path),
  });

const sendHeader = (shop: TestTenant, path: string) =>
  shop.call('POST', '/messages/template', {
    ...to(),
    template_name: 'spring_offer',
    template_language: 'en',
    field_1: 'Amina',
    field_2: 'SPRING15',
    header_media_url: urlOf(shop, path),
  });

/** Creates a tenant that has this many requests left, at the beginning of a minute. */
async function shopWith(left: number): Promise<TestTenant> {
  const shop = await app.tenant({ plan: 'starter' });
  await syncTemplates(app.services, shop.id);
  await moveToFreshMinute(app);
  const requests = Array.from({ length: 60 - left }, () => shop.call('GET', '/messages/none'));
  await Promise.all(requests);
  return shop;
}

const remaining = ({ headers }: TestResponse) => Number(headers['ratelimit-remaining']);
const statusesOf = (answers: TestResponse[]) => answers.map(({ status }) => status).sort();
const downFrom = (count: number) => Array.from({ length: count }, (_, index) => count - 1 - index);
const inOrder = (numbers: number[]) => numbers.toSorted((a, b) => b - a);

test.each([
  ['a file', sendFile],
  ['a template with a file in its header', sendHeader],
])('sends of %s beyond the minute fetch nothing, and each counts once', async (_, send) => {
  const shop = await shopWith(5);
  const sends = Array.from({ length: 20 }, (_, index) => send(shop, `/${index}.png`));
  const answers = await Promise.all(sends);
  expect(statusesOf(answers)).toEqual([...Array(5).fill(200), ...Array(15).fill(429)]);
  expect(fetchedOf(shop)).toBe(5);
  const sent = answers.filter(({ status }) => status === 200);
  expect(inOrder(sent.map(remaining))).toEqual(downFrom(5));
  expect(inOrder(sent.map(({ headers }) => Number(headers['x-message-quota-remaining'])))).toEqual([
    999, 998, 997, 996, 995,
  ]);
  const { rows } = await app.db.pool.query('select requests from token_days where token_id = $1', [
    shop.tokenId,
  ]);
  expect(rows).toEqual([{ requests: 75 }]);
});

test('a send whose file is refused counts once too', async () => {
  const shop = await shopWith(3);
  const refused = await shop.call('POST', '/messages/media', {
    ...to(),
    type: 'document',
    media_url: urlOf(shop, '/a.pdf'),
  });
  expect([refused.status, remaining(refused)]).toEqual([422, 2]);
  expect(remaining(await sendFile(shop, '/b.png'))).toBe(1);
  expect(remaining(await sendText(shop))).toBe(0);
});

test('counts are exact if a batch has sends that are already counted and others', async () => {
  const shop = await shopWith(60);
  const other = await app.tenant();
  await setCounts(app, [shop.tokenId], { messages: 950 });
  const holder = await holdLocks(app, 'lock table messages in share row exclusive mode');
  // Sends that arrive while the other tenant's send waits for the lock form one batch afterwards.
  const first = sendText(other);
  await lockWaiters(app, { like: '%counted as (%' });
  const texts = Array.from({ length: 50 }, () => sendText(shop));
  const media = Array.from({ length: 20 }, (_, index) => sendFile(shop, `/${index}.png`));
  await eventually(async () => fetchedOf(shop) === 20);
  await holder.query('commit');
  expect((await first).status).toBe(200);

  const answers = await Promise.all([...texts, ...media]);
  expect(statusesOf(answers)).toEqual([...Array(50).fill(200), ...Array(20).fill(429)]);
  const isOfMinute = ({ body }: TestResponse) =>
    /60 requests per calendar minute/.test(body.message);
  const overDay = answers.filter((each) => each.status === 429 && !isOfMinute(each));
  expect(overDay).toHaveLength(10);
  const counted = answers.filter((each) => !isOfMinute(each));
  expect(inOrder(counted.map(remaining))).toEqual(downFrom(60));
  const { rows } = await app.db.pool.query(
    'select count(*)::int from stored_messages where tenant_id = $1',
    [shop.id],
  );
  expect(rows).toEqual([{ count: 50 }]);
});
