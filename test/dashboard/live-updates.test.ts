import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import type { LiveEvent } from '../../src/messages/conversations/dashboard-schema.ts';
import { setWebhook } from '../../src/webhooks/set-webhook.ts';
import { createCachedLists } from '../../web/dashboard/src/api/cached-lists.ts';
import { createCalls } from '../../web/dashboard/src/api/calls.ts';
import { createTopicUpdates } from '../../web/dashboard/src/api/live-topics.ts';
import type { TenantPaths } from '../../web/dashboard/src/api/schema.ts';
import { createLiveUpdates } from '../../web/dashboard/src/features/messages/conversations/live/live-updates.ts';
import {
  conversationsQuery,
  threadQuery,
} from '../../web/dashboard/src/features/messages/conversations/queries.ts';
import { deliveriesQuery } from '../../web/dashboard/src/features/webhooks/queries.ts';
import { eventually } from '../checks/eventually.ts';
import { openLiveStream } from '../features/live-stream.ts';
import { sameOrigin, signIn } from '../features/sign-in.ts';
import { type TestTenant, testApp } from '../program/app.ts';
import { control } from '../servers/control.ts';

const app = testApp();

/** A query that is loaded in parts. */
type Parts = ReturnType<typeof conversationsQuery | typeof threadQuery | typeof deliveriesQuery>;

/**
 * The cache of the dashboard of a new tenant, with its calls over HTTP, as in a browser in which a member is
 * signed in.
 */
async function openCache() {
  const shop = await app.tenant();
  const member = await signIn(app, shop);
  const requests: string[] = [];
  const held: { path: string; arrived: () => void; released: Promise<void> }[] = [];
  async function send(...asked: Parameters<typeof fetch>): Promise<Response> {
    const request = new Request(...asked);
    const { pathname, search } = new URL(request.url);
    requests.push(pathname + search);
    const headers = { ...sameOrigin, cookie: member.cookie };
    const response = await fetch(request, { headers });
    const at = held.findIndex(({ path }) => pathname.endsWith(path));
    if (at >= 0) {
      const [{ arrived, released }] = held.splice(at, 1) as [(typeof held)[0]];
      arrived();
      await released;
    }
    return response;
  }
  const api = createCalls<TenantPaths>(`${app.url}/dashboard-api/${shop.slug}`, send);
  const queries = new QueryClient();
  const cached = createCachedLists(queries);
  const topics = createTopicUpdates(queries, api, cached);
  const updates = createLiveUpdates(queries, api, cached, topics);
  onTestFinished(() => updates.stop());
  const stream = await openLiveStream(app, shop, member);
  let passedOn = 0;

  /** Passes events of the stream on until something holds. */
  function until(holds: () => unknown): Promise<unknown> {
    return eventually(async () => {
      const events = stream.events().slice(passedOn);
      passedOn += events.length;
      for (const event of events) updates.onEvent(event);
      return Boolean(holds());
    });
  }

  /** Shows a list as a page does, and waits until it is loaded. */
  async function show(query: Parts) {
    // biome-ignore lint/suspicious/noExplicitAny: lists of several kinds
    const observer = new InfiniteQueryObserver<any, any, any>(queries, {
      ...(query as object),
      staleTime: Number.POSITIVE_INFINITY,
    } as never);
    const close = observer.subscribe(() => {});
    onTestFinished(close);
    const pages = (): Record<string, unknown[]>[] => observer.getCurrentResult().data?.pages ?? [];
    await until(() => observer.getCurrentResult().isSuccess);
    return {
      close,
      showMore: () => observer.fetchNextPage(),
      hasMore: () => observer.getCurrentResult().hasNextPage,
      /** The texts of messages, or the events of deliveries. */
      texts: () => pages().flatMap(textsOf),
    };
  }

  /** Holds the next response to a path, which the service has then sent. */
  function holdNext(path: string) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise, resolve: arrived } = Promise.withResolvers<void>();
    held.push({ path, arrived, released });
    return { arrived: promise, release };
  }

  /** What a stream begins with. */
  const ready = () => stream.events()[0] as Extract<LiveEvent, { kind: 'ready' }>;

  return { shop, member, api, queries, updates, topics, requests, show, until, holdNext, ready };
}

type Text = { content: { text: string } };

function textsOf({ conversations, messages, deliveries }: Record<string, unknown[]>): string[] {
  const last = (conversations as { last: Text }[] | undefined)?.map((each) => each.last);
  const texts = (last ?? (messages as Text[] | undefined))?.map(({ content }) => content.text);
  return texts ?? (deliveries as { event: string }[]).map(({ event }) => event);
}

function receive(shop: TestTenant, from: string, text: string) {
  const { phone_number_id } = shop.number;
  return control(app, 'POST', '/simulator/inbound', { phone_number_id, from, text });
}

/** Stores one message for each of several people, newest last, without notifying any stream. */
async function addMessages(shop: TestTenant, texts: string[]): Promise<void> {
  await app.db.query(sql`
    insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status)
    select ${shop.id}, ${shop.number.id}, 'in', '+1415556' || lpad(at::text, 4, '0'), 'text',
           jsonb_build_object('text', text), 'received'
    from unnest(${texts}::text[]) with ordinality as each (text, at) order by at`);
}

const numbered = (count: number, name = 'Message') =>
  Array.from({ length: count }, (_, index) => `${name} ${index + 1}`);

test('after all loaded conversations of a view were read, it goes on with the next ones', async () => {
  const { shop, member, api, updates, show, until } = await openCache();
  await addMessages(shop, numbered(31));
  await app.db.query(sql`update conversations set unread = 1 where tenant_id = ${shop.id}`);
  const unread = await show(conversationsQuery(api, { view: 'unread' }));
  const { body } = await member.call('GET', '/conversations?view=unread');
  const read = body.data.conversations.map((each: object) => ({ ...each, unread: 0 }));
  expect(read).toHaveLength(30);
  await app.db.query(sql`
    update conversations set unread = 0
    where tenant_id = ${shop.id} and person <> '+14155560001'`);
  updates.onEvent({ kind: 'changed', conversations: read, messages: [] });
  await until(() => unread.texts().join() === 'Message 1' && !unread.hasMore());
  await receive(shop, '+14155569999', 'A new one');
  await until(() => unread.texts().join() === 'A new one,Message 1');
});

test('a message that arrives while its list or thread is read again stays', async () => {
  const { shop, api, updates, show, until, holdNext } = await openCache();
  const phone = '+14155560001';
  await addMessages(shop, ['Before']);
  const shown = [
    await show(conversationsQuery(api, {})),
    await show(threadQuery(api, phone)),
  ] as const;
  await until(() => shown.every((each) => each.texts().join() === 'Before'));
  await addMessages(shop, ['Not notified', 'Not notified']);
  const held = ['/conversations', '/conversation'].map(holdNext);
  updates.reload();
  await Promise.all(held.map(({ arrived }) => arrived));
  await receive(shop, phone, 'Arrived meanwhile');
  await until(() => shown.every((each) => each.texts()[0] === 'Arrived meanwhile'));
  for (const { release } of held) release();
  const [list, thread] = shown;
  await until(() => list.texts().length === 2 && thread.texts().length === 3);
  expect(list.texts()).toEqual(['Arrived meanwhile', 'Not notified']);
  expect(thread.texts()).toEqual(['Arrived meanwhile', 'Not notified', 'Before']);
});

test('a list that is wanted again while it is read is read once more', async () => {
  const { shop, api, updates, requests, show, until, holdNext, ready } = await openCache();
  await addMessages(shop, ['First']);
  const list = await show(conversationsQuery(api, {}));
  const { arrived, release } = holdNext('/conversations');
  const before = requests.length;
  const lacking = { ...ready(), newest: Number.MAX_SAFE_INTEGER };
  updates.onEvent(lacking);
  await arrived;
  await addMessages(shop, ['Second', 'Third']);
  updates.onEvent(lacking);
  release();
  await until(() => list.texts().length === 2);
  expect(list.texts()).toEqual(['Third', 'Second']);
  expect(requests.slice(before).filter((each) => each.endsWith('/conversations'))).toHaveLength(2);
});

test('a conversation enters and leaves the list of a group with its contact, and this costs no request', async () => {
  const { shop, api, requests, show, until } = await openCache();
  const { body } = await shop.call('POST', '/groups', { name: 'Berlin' });
  const group = body.data.id;
  await receive(shop, '+14155560001', 'First');
  const list = await show(conversationsQuery(api, { group }));
  const everything = await show(conversationsQuery(api, {}));
  await until(() => everything.texts().length === 1);
  const { data } = (await shop.call('GET', '/contacts')).body;
  const before = requests.length;
  await shop.call('PUT', `/contacts/${data[0].id}`, { group_ids: [group] });
  await until(() => list.texts().join() === 'First');
  await shop.call('PUT', `/contacts/${data[0].id}`, { group_ids: [] });
  await until(() => list.texts().length === 0);
  await receive(shop, '+14155560002', 'Second');
  await until(() => everything.texts().length === 2);
  expect(list.texts()).toEqual([]);
  expect(requests).toHaveLength(before);
});

test('“Show more” keeps what was read meanwhile', async () => {
  const { shop, api, updates, topics, show, until, holdNext } = await openCache();
  await addMessages(shop, numbered(31));
  await setWebhook(app.services, shop.id, {
    url: 'http://127.0.0.1:9/hook',
    events: ['contact.deleted'],
  });
  const addDelivery = (event: string, count = 1) =>
    app.db.query(sql`
      insert into deliveries (tenant_id, event, body, state)
      select ${shop.id}, ${event}, '{}', 'delivered' from generate_series(1, ${count}::int)`);
  await addDelivery('contact.created', 31);
  const shown = [
    await show(conversationsQuery(api, {})),
    await show(deliveriesQuery(api, {})),
  ] as const;
  await until(() => shown.every((each) => each.texts().length === 30));
  const held = ['/conversations', '/webhook/deliveries'].map(holdNext);
  const more = shown.map(({ showMore }) => showMore());
  await Promise.all(held.map(({ arrived }) => arrived));
  await addMessages(shop, ['Not notified']);
  await receive(shop, '+14155569999', 'Read meanwhile');
  await addDelivery('contact.updated');
  updates.reload();
  topics.touch(['webhook']);
  const [list, deliveries] = shown;
  await until(() => list.texts().includes('Not notified'));
  await until(() => deliveries.texts()[0] === 'contact.updated');
  for (const { release } of held) release();
  await Promise.all(more);
  await until(() => shown.every((each) => each.texts().length === 32));
  expect(list.texts().slice(0, 2)).toEqual(['Read meanwhile', 'Not notified']);
  expect(deliveries.texts()[0]).toBe('contact.updated');
});

test('what came while no tab of the tenant listened is read when it listens again', async () => {
  const { shop, api, updates, show, until } = await openCache();
  await addMessages(shop, ['Before']);
  const queries = [conversationsQuery(api, {}), threadQuery(api, '+14155560001')];
  for (const query of queries) (await show(query)).close();
  updates.stop();
  await addMessages(shop, ['Meanwhile']);
  for (const query of queries) {
    const shown = await show(query);
    await until(() => shown.texts()[0] === 'Meanwhile');
  }
});

test('a stream that begins brings the open thread up to date, and lists if they lack the newest message', async () => {
  const { shop, api, queries, updates, requests, show, until, ready } = await openCache();
  await addMessages(shop, ['First', 'Second']);
  const [first, second] = ['+14155560001', '+14155560002'].map((phone) => threadQuery(api, phone));
  (await show(first!)).close();
  const thread = await show(second!);
  const list = await show(conversationsQuery(api, {}));
  await show(conversationsQuery(api, { view: 'mine' }));
  const count = new QueryObserver(queries, api.asked('/conversations/unread'));
  onTestFinished(count.subscribe(() => {}));
  await until(() => count.getCurrentResult().isSuccess);
  const { rows } = await app.db.query<{ newest: number }>(sql`
    select max(id) as newest from messages where tenant_id = ${shop.id}`);
  const paths = [
    '/conversation?phone=%2B14155560002',
    '/conversations',
    '/conversations/unread',
    '/conversations?view=mine',
  ];
  // The count is also read again after events.
  const readSince = (from: number) =>
    [
      ...new Set(requests.slice(from).map((each) => each.slice(each.indexOf('/conversation')))),
    ].toSorted();
  const asked = requests.length;
  // As by a status, an assignment or a read mark, which come with no message.
  await app.db.query(sql`update conversations set unread = 7 where tenant_id = ${shop.id}`);
  updates.onEvent({ ...ready(), newest: rows[0]!.newest });
  await until(() => readSince(asked).includes(paths[0]!));
  const newestPage = () =>
    queries.getQueryData<{ pages: { unread: number }[] }>(second!.queryKey)?.pages[0];
  await until(() => newestPage()?.unread === 7);
  expect(readSince(asked)).not.toContain('/conversations');
  const askedAgain = requests.length;
  await addMessages(shop, ['Third', 'Fourth']);
  updates.onEvent({ ...ready(), newest: Number.MAX_SAFE_INTEGER });
  await until(() => thread.texts()[0] === 'Fourth' && list.texts()[0] === 'Fourth');
  await until(() => readSince(askedAgain).length >= paths.length);
  expect(readSince(askedAgain)).toEqual(paths);
  const again = await show(first!);
  await until(() => again.texts()[0] === 'Third');
});
