import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { holdLocks, lockWaiters } from '../../../test/database/locks.ts';
import { findWindow } from '../../../test/features/find-window.ts';
import { postCallback } from '../../../test/features/post-callback.ts';
import { call, type TestTenant, testApp } from '../../../test/program/app.ts';
import { control, misbehave } from '../../../test/servers/control.ts';
import { createNumberFinder } from '../../numbers/find-number.ts';
import { listNumbers } from '../../numbers/queries.ts';
import { updateTenant } from '../../tenants/queries.ts';
import { eventTypes } from '../../webhooks/schema.ts';
import { readCallback } from '../../whatsapp/callbacks/read-callback.ts';
import { listConversationMessages } from '../conversations/conversation-queries.ts';
import { openMedia } from '../conversations/files/open-media.ts';
import { listConversations } from '../conversations/inbox/list-conversations.ts';
import { pruneMessages } from '../conversations/prune-messages.ts';
import { purgeConversations } from '../erasing/purge-conversations.ts';
import { purgeErasedMessages } from '../erasing/purge-queries.ts';

const app = testApp();
let phones = 0;
const newPhone = () => `+1415555${String(++phones).padStart(4, '0')}`;

/** Sends a message from a phone to the tenant's number. Resolves when it is stored. */
async function write(shop: TestTenant, from: string, message: object): Promise<string> {
  const { message_id: id } = await control(app, 'POST', '/simulator/inbound', {
    phone_number_id: shop.number.phone_number_id,
    from,
    ...message,
  });
  await eventually(async () => (await stored(shop)).some((each) => each.network_id === id));
  return id;
}

type Stored = { network_id: string; phone: string; kind: string; status: string; content: object };

async function stored(shop: TestTenant): Promise<Stored[]> {
  const { rows } = await app.db.query<Stored>(sql`
    select network_id, phone, kind, status, content from stored_messages
    where tenant_id = ${shop.id} and direction = 'in' order by id`);
  return rows;
}

const contactsOf = async (shop: TestTenant) => (await shop.call('GET', '/contacts')).body.data;

describe('an inbound message', () => {
  test.each<[string, object, object]>([
    ['text', { text: 'Hello 😀 \\ "you"' }, { text: 'Hello 😀 \\ "you"' }],
    [
      'image',
      { image: { id: '123', mime_type: 'image/jpeg', sha256: 'x', caption: 'Look' } },
      { media_id: '123', mime_type: 'image/jpeg', text: 'Look' },
    ],
    [
      'audio',
      { audio: { id: '124', mime_type: 'audio/ogg; codecs=opus', voice: true } },
      { media_id: '124', mime_type: 'audio/ogg; codecs=opus', voice: true },
    ],
    [
      'document',
      { document: { id: '125', mime_type: 'application/pdf', filename: 'a.pdf' } },
      { media_id: '125', mime_type: 'application/pdf', filename: 'a.pdf' },
    ],
    ['video', { video: { id: '126' } }, { media_id: '126' }],
    ['sticker', { sticker: { id: '127', animated: true } }, { media_id: '127' }],
    [
      'location',
      { location: { latitude: 24.86, longitude: 67.01, name: 'Karachi' } },
      { location: { latitude: 24.86, longitude: 67.01, name: 'Karachi' } },
    ],
    [
      'contacts',
      { contacts: [{ name: { formatted_name: 'Bea' }, phones: [{ phone: '+1 415' }] }] },
      { contacts: [{ name: { formatted_name: 'Bea' }, phones: [{ phone: '+1 415' }] }] },
    ],
    [
      'reaction',
      { reaction: { message_id: 'wamid.A', emoji: '👍' } },
      { reaction: { message_id: 'wamid.A', emoji: '👍' } },
    ],
    [
      'button',
      { button: { text: 'Stop offers', payload: 'stop' } },
      { text: 'Stop offers', payload: 'stop' },
    ],
    [
      'interactive',
      { interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } } },
      {
        text: 'Yes',
        payload: 'yes',
        interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
      },
    ],
    [
      'order',
      { order: { catalog_id: '1', product_items: [{ quantity: 2 }] } },
      { order: { catalog_id: '1', product_items: [{ quantity: 2 }] } },
    ],
    [
      'system',
      { system: { type: 'customer_identity_changed', body: 'Bea changed' } },
      {
        text: 'Bea changed',
        system: { type: 'customer_identity_changed', body: 'Bea changed' },
      },
    ],
    [
      'unsupported',
      { errors: [{ code: 131051, title: 'Unsupported' }] },
      { errors: [{ code: 131051, title: 'Unsupported' }] },
    ],
    [
      'interactive',
      { interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent' } } },
      {
        text: 'Sent',
        interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent' } },
      },
    ],
    ['poll_of_2027', { poll_of_2027: { a: 1 } }, { poll_of_2027: { a: 1 } }],
  ])('of type %s is stored', async (type, message, content) => {
    const shop = await app.tenant();
    const phone = newPhone();
    await write(shop, phone, { type, ...message });
    expect(await stored(shop)).toMatchObject([{ phone, kind: type, status: 'received', content }]);
  });

  test('that replies to another has its id', async () => {
    const shop = await app.tenant();
    await write(shop, newPhone(), { text: 'Yes', context: 'wamid.ASK' });
    expect((await stored(shop))[0]!.content).toEqual({ text: 'Yes', reply_to: 'wamid.ASK' });
  });

  test('that came from an advertisement has the referral', async () => {
    const shop = await app.tenant();
    const referral = { source_type: 'ad', source_id: '12', headline: 'Spring offer' };
    await write(shop, newPhone(), { text: 'Is it still there?', referral });
    expect((await stored(shop))[0]!.content).toEqual({ text: 'Is it still there?', referral });
  });

  test('that is about a product, or was forwarded, says so in its record', async () => {
    const shop = await app.tenant();
    const about = {
      referred_product: { catalog_id: '7', product_retailer_id: 'shoe-1' },
      forwarded: true,
      frequently_forwarded: true,
    };
    const context = { from: shop.number.phone_number_id, ...about };
    await write(shop, newPhone(), { text: 'Is this in size 40?', context });
    const { body } = await shop.call('GET', '/messages');
    expect(body.data[0]).toMatchObject({
      reply_to: null,
      content: { text: 'Is this in size 40?', ...about },
    });
  });

  test('is stored once, however often the network reports it', async () => {
    const shop = await app.tenant();
    await misbehave(app, shop, { duplicate: 5 });
    await write(shop, newPhone(), { text: 'Hello' });
    await write(shop, newPhone(), { text: 'Bye' });
    expect(await stored(shop)).toHaveLength(2);
    expect(await contactsOf(shop)).toHaveLength(2);
  });

  test('from a hidden phone is stored under the user id, and creates a contact without a phone', async () => {
    const shop = await app.tenant();
    await write(shop, newPhone(), { text: 'Hello', hide_phone: true });
    expect((await stored(shop))[0]!.phone).toMatch(/^user:\S+$/);
    expect(await contactsOf(shop)).toMatchObject([
      { phone: null, user_id: (await stored(shop))[0]!.phone.slice('user:'.length) },
    ]);
  });

  test('is not found by the lookup of sent messages', async () => {
    const shop = await app.tenant();
    const id = await write(shop, newPhone(), { text: 'Hello' });
    expect((await shop.call('GET', `/messages/${encodeURIComponent(id)}`)).status).toBe(404);
  });
});

describe('an unknown phone that writes', () => {
  test('becomes a contact with its profile name or its phone as name, with an event', async () => {
    const shop = await app.tenant();
    await app.db.query(sql`
      insert into webhooks (tenant_id, url, events, secret)
      values (${shop.id}, 'https://shop.test/hook', ${eventTypes}, '\\x00')`);
    const [named, nameless] = [newPhone(), newPhone()];
    await write(shop, named, { text: 'Hello', profile_name: 'Zoë\n Ali' });
    await write(shop, named, { text: 'Again', profile_name: 'Other' });
    await write(shop, nameless, { text: 'Hello', profile_name: ' \u3164\u200e' });
    expect(await contactsOf(shop)).toMatchObject([
      { firstname: 'Zoë Ali', phone: named },
      { firstname: nameless, phone: nameless },
    ]);
    const { rows } = await app.db.query<{ body: string }>(sql`
      select body from deliveries where tenant_id = ${shop.id} and event = 'contact.created'
      order by id`);
    expect(rows.map(({ body }) => JSON.parse(body).data.phone)).toEqual([named, nameless]);
  });

  test('keeps its contact, even if the network writes the phone differently', async () => {
    const shop = await app.tenant();
    const contact = { firstname: 'Bia', phone: '+5511987654321' };
    expect((await shop.call('POST', '/contacts', contact)).body.errors).toBeUndefined();
    await write(shop, '+551187654321', { text: 'Oi', profile_name: 'Beatriz' });
    expect(await contactsOf(shop)).toMatchObject([contact]);
    const messages = await listConversationMessages(app.db, shop.id, contact.phone, { limit: 9 });
    expect(messages).toMatchObject([{ phone: '+551187654321', content: { text: 'Oi' } }]);
  });

  test('becomes no contact if the tenant has disabled that', async () => {
    const shop = await app.tenant();
    await app.db.query(sql`
      update tenants set contacts_from_inbound = false where id = ${shop.id}`);
    await write(shop, newPhone(), { text: 'Hello' });
    expect(await contactsOf(shop)).toEqual([]);
  });
});

describe('a conversation', () => {
  test('has sent and received messages, and a window of 24 hours', async () => {
    const shop = await app.tenant();
    const [phone, other] = [newPhone(), newPhone()];
    expect(await findWindow(app.db, shop.id, phone, shop.number.id)).toBeNull();
    await write(shop, phone, { text: 'Hello' });
    await shop.call('POST', '/messages/send', { phone_number: phone, type: 'text', message: 'Hi' });
    await shop.call('POST', '/messages/send', { phone_number: other, type: 'text', message: 'Ho' });
    await write(shop, phone, { text: 'Bye' });

    const thread = await listConversationMessages(app.db, shop.id, phone, { limit: 9 });
    expect(thread.map(({ content }) => content.text)).toEqual(['Bye', 'Hi', 'Hello']);
    const older = { before: thread[1]!.id, limit: 9 };
    expect(await listConversationMessages(app.db, shop.id, phone, older)).toHaveLength(1);

    // Messages to another tenant open no window here, and only that tenant sees them.
    const stranger = await app.tenant();
    await write(stranger, other, { text: 'Not yours' });
    expect(await listConversationMessages(app.db, stranger.id, phone, { limit: 9 })).toEqual([]);

    const until = (await findWindow(app.db, shop.id, phone, shop.number.id))!;
    const hours = (until.getTime() - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);

    const list = await listConversations(app.db, shop.id, { limit: 9 });
    expect(list.map((each) => [each.phone, each.last.content.text])).toEqual([
      [phone, 'Bye'],
      [other, 'Ho'],
    ]);
    expect(list.map((each) => each.window_until)).toEqual([until, null]);
    const [first] = await listConversations(app.db, shop.id, { limit: 1 });
    const rest = await listConversations(app.db, shop.id, { before: first!.last.id, limit: 9 });
    expect(rest.map((each) => each.phone)).toEqual([other]);
    expect(
      (await listConversations(app.db, stranger.id, { limit: 9 })).map((each) => each.last.content),
    ).toEqual([{ text: 'Not yours' }]);
  });

  test('is hidden with its contact at once, its rows are deleted soon after, and a new one begins empty', async () => {
    const shop = await app.tenant();
    const [phone, other] = [newPhone(), newPhone()];
    const send = (to: string) =>
      shop.call('POST', '/messages/send', { phone_number: to, type: 'text', message: 'Hi' });
    await write(shop, phone, { text: 'Hello' });
    const { message_id: deletedId } = (await send(phone)).body.data;
    const { message_id: stays } = (await send(other)).body.data;
    const [{ id }] = await contactsOf(shop);
    expect((await shop.call('DELETE', `/contacts/${id}`)).status).toBe(200);

    const lookUp = (message: string) =>
      shop.call('GET', `/messages/${encodeURIComponent(message)}`);
    expect((await lookUp(deletedId)).status).toBe(404);
    expect((await lookUp(stays)).status).toBe(200);
    expect(await listConversationMessages(app.db, shop.id, phone, { limit: 9 })).toEqual([]);
    expect(await findWindow(app.db, shop.id, phone, shop.number.id)).toBeNull();
    expect((await listConversations(app.db, shop.id, { limit: 9 })).map((c) => c.phone)).toEqual([
      other,
    ]);

    await write(shop, phone, { text: 'Me again' });
    const count = async () => {
      const { rows } = await app.db.query<{ count: number }>(sql`
        select count(*)::int from stored_messages where tenant_id = ${shop.id}`);
      return rows[0]!.count;
    };
    const thread = async () =>
      (await listConversationMessages(app.db, shop.id, phone, { limit: 9 })).map(
        ({ content }) => content.text,
      );
    expect(await count()).toBe(4);
    // Rows that are not deleted yet stay hidden.
    await purgeErasedMessages(app.db, 1);
    expect([await count(), await thread()]).toEqual([3, ['Me again']]);
    await purgeConversations(app.db);
    expect([await count(), await thread()]).toEqual([2, ['Me again']]);
    const { rows: left } = await app.db.query(sql`
      select from conversations where tenant_id = ${shop.id} and removed_to is not null`);
    expect(left).toEqual([]);
  });
});

test('a message in progress when its contact is deleted is removed once its outcome is known', async () => {
  const shop = await app.tenant({ plan: 'starter' });
  const [phone, other] = [newPhone(), newPhone()];
  const contactOf = async (number: string) => {
    const { body } = await shop.call('POST', '/contacts', { firstname: 'Ada', phone: number });
    return body.data.id as number;
  };
  const statuses = async (number: string) => {
    const { rows } = await app.db.query<{ status: string }>(sql`
      select status from stored_messages where tenant_id = ${shop.id} and phone = ${number}`);
    return rows.map(({ status }) => status);
  };
  const text = { phone_number: phone, type: 'text', message: 'Hi' };
  await shop.call('POST', '/messages/send', { ...text, phone_number: other });
  await shop.call('POST', '/messages/send', text);
  await misbehave(app, shop, { delayMs: 2_000, failWith: 131026, failAs: 'answer' });
  const sending = shop.call('POST', '/messages/send', text);
  await eventually(async () => (await statuses(phone)).includes('accepting'));
  for (const number of [phone, other]) {
    expect((await shop.call('DELETE', `/contacts/${await contactOf(number)}`)).status).toBe(200);
  }
  await purgeConversations(app.db);
  // It does not block the removal of others.
  expect(await statuses(other)).toEqual([]);

  const response = await sending;
  expect(response.status).toBe(422);
  expect(response.headers['x-message-quota-remaining']).toBe('998');
  expect(await listConversationMessages(app.db, shop.id, phone, { limit: 9 })).toEqual([]);
  const { rows: days } = await app.db.query<{ messages: number }>(sql`
    select messages from token_days where tenant_id = ${shop.id}`);
  expect(days).toEqual([{ messages: 2 }]);
  await purgeConversations(app.db);
  expect(await statuses(phone)).toEqual([]);
});

describe('messages older than the retention period', () => {
  const prune = (messageRetentionDays: number) =>
    pruneMessages({ ...app.services, config: { ...app.services.config, messageRetentionDays } });

  /** Stores inbound messages with ids from `firstId` on, or the next ones of the sequence. */
  async function store(
    shop: TestTenant,
    phone: string,
    daysAgo: number[],
    firstId: number | null = null,
  ): Promise<void> {
    await app.db.query(sql`
      insert into stored_messages (tenant_id, id, number_id, direction, phone, kind, content, status, created_at)
      select ${shop.id}, coalesce(${firstId}::bigint + place - 1, nextval('messages_id_seq')),
             ${shop.number.id}, 'in', ${phone}, 'text', jsonb_build_object('days', days), 'received',
             now() - days * interval '1 day'
      from unnest(${daysAgo}::int[]) with ordinality as each (days, place)`);
  }

  const left = async (shop: TestTenant, phone: string) =>
    (await listConversationMessages(app.db, shop.id, phone, { limit: 9 })).map(
      ({ content }) => content.days,
    );
  const inbox = async (shop: TestTenant) =>
    (await listConversations(app.db, shop.id, { limit: 9 })).map(({ last }) => last.content.days);

  test('are deleted, unless there is no such period', async () => {
    const [shop, phone] = [await app.tenant(), newPhone()];
    await store(shop, phone, [40, 31, 29, 0]);
    await prune(0);
    expect(await left(shop, phone)).toHaveLength(4);
    await prune(30);
    expect(await left(shop, phone)).toEqual([0, 29]);
  });

  test.each([
    ['a shorter period than that of the installation', 7, 30, [0, 6]],
    ['a period, and the installation has none', 7, 0, [0, 6]],
    ['a longer period than that of the installation', 90, 30, [0, 6, 29]],
  ])('are deleted if the tenant has %s', async (_, ofTenant, ofInstallation, kept) => {
    const [shop, other, phone] = [await app.tenant(), await app.tenant(), newPhone()];
    await updateTenant(app.db, shop.id, { message_retention_days: ofTenant });
    for (const each of [shop, other]) await store(each, phone, [40, 29, 6, 0]);
    await prune(ofInstallation);
    expect(await left(shop, phone)).toEqual(kept);
    expect(await left(other, phone)).toEqual(ofInstallation === 0 ? [0, 6, 29, 40] : [0, 6, 29]);
  });

  test('are deleted in spite of young messages with lower ids, which stay in the inbox', async () => {
    const [shop, other] = [await app.tenant(), await app.tenant()];
    const [past, moved, phone] = [newPhone(), newPhone(), newPhone()];
    const aged = (days: number, count: number) => Array<number>(count).fill(days);
    await store(other, past, aged(10, 300), -5_000);
    await store(other, moved, aged(11, 300), 1_000_000_000);
    await app.db.pool.query(`select setval('messages_id_seq', 2000000000)`);
    await store(shop, phone, aged(40, 300));
    await store(shop, past, [10], -5_000);
    await prune(30);
    expect(await left(shop, phone)).toEqual([]);
    expect(await inbox(shop)).toEqual([10]);
    expect(await inbox(other)).toEqual([11, 10]);
  });

  test('leave the conversation in the inbox if one with a lower id is younger', async () => {
    const [shop, phone] = [await app.tenant(), newPhone()];
    await store(shop, phone, [10, 40]);
    await prune(30);
    expect(await inbox(shop)).toEqual([10]);
    await prune(5);
    expect(await inbox(shop)).toEqual([]);
    const { rows } = await app.db.query(
      sql`select from conversations where tenant_id = ${shop.id}`,
    );
    expect(rows).toEqual([]);
  });
});

test('malformed messages are stored as far as possible, and never lose their neighbours', async () => {
  const shop = await app.tenant();
  const { app_secret: secret } = await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: shop.number.phone_number_id,
  });
  const good = (id: string) => ({
    from: '14155559999',
    id: `wamid.${id}`,
    timestamp: '1790000000',
    type: 'text',
    text: { body: id },
  });
  const deep = '['.repeat(5_000) + ']'.repeat(5_000);
  const messages = [
    good('first'),
    { ...good('nul'), text: { body: 'a\0b\ud800c' } },
    { ...good('key'), type: 'location', location: { 'a\0': 1, __proto__x: '\udfff' } },
    { ...good('user'), from: undefined, from_user_id: 'US.1349 1208\0' },
    { ...good('nobody'), from: undefined },
    { ...good('letters'), from: 'not a phone' },
    { ...good('undated'), timestamp: 'soon' },
    { ...good('future'), timestamp: '99999999999' },
    { ...good('typeless'), type: undefined, text: undefined },
    { ...good('shouting'), type: 'DROP TABLE messages' },
    { ...good('empty'), text: null },
    { ...good('strange'), type: { toString: 1 }, timestamp: { toString: 1 } },
    { ...good('long'), text: { body: '漢'.repeat(50_000) }, context: { id: 'wamid.first' } },
    { ...good('picture'), type: 'image', image: { id: { toString: 1 } } },
    { ...good('unnamed'), id: undefined },
    { ...good('spaced'), id: 'wamid. x' },
    null,
    'text',
    [],
    good('last'),
  ];
  const value = {
    metadata: { phone_number_id: shop.number.phone_number_id },
    contacts: [null, 'x', { wa_id: '14155559999', profile: { name: 7 } }],
    messages,
  };
  const body = JSON.stringify({
    entry: [
      null,
      { id: { toString: 1 }, changes: [{ field: 'template_category_update', value: {} }] },
      { id: '7\0', changes: [{ field: 'message_template_quality_update', value: {} }] },
      {
        id: '1',
        changes: [
          'x',
          { field: { toString: 1 }, value: {} },
          { field: 'messages', value: { metadata: { phone_number_id: '1\0' } } },
          { field: 'messages', value },
        ],
      },
    ],
  }).replace('"text":null', `"text":${deep}`);
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const post = () =>
    call(app, 'POST', `/whatsapp/callbacks/${shop.number.callback_id}`, body, {
      'x-hub-signature-256': `sha256=${signature}`,
    });
  const responses = await Promise.all([post(), post(), post()]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  const byNetworkId = new Map((await stored(shop)).map((each) => [each.network_id, each]));
  expect([...byNetworkId.keys()].sort()).toEqual(
    [
      'empty',
      'first',
      'future',
      'key',
      'last',
      'letters',
      'long',
      'nobody',
      'nul',
      'picture',
      'shouting',
    ]
      .concat('strange', 'typeless', 'undated', 'user')
      .map((id) => `wamid.${id}`),
  );
  expect(byNetworkId.get('wamid.nul')!.content).toEqual({ text: 'ab\ufffdc' });
  expect(byNetworkId.get('wamid.long')!.content).toEqual({ reply_to: 'wamid.first' });
  expect(byNetworkId.get('wamid.user')!.phone).toBe('user:US.13491208');
  expect(byNetworkId.get('wamid.nobody')!.phone).toBe('+14155559999');
  expect(byNetworkId.get('wamid.letters')!.phone).toBe('user:notaphone');
  expect(byNetworkId.get('wamid.shouting')!.kind).toBe('unsupported');
  expect(await contactsOf(shop)).toMatchObject([{ phone: '+14155559999' }]);
});

test('a long callback does not delay other tenants', async () => {
  const [shop, neighbour] = [await app.tenant(), await app.tenant()];
  // Blocks the insert of a message with the same network id.
  const holder = await holdLocks(
    app,
    `insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status, network_id)
     values ($1, $2, 'in', '+14155550123', 'text', '{}', 'received', 'wamid.0')`,
    [shop.id, shop.number.id],
  );
  const posted = postCallback(app, shop, {
    messages: Array.from({ length: 101 }, (_, n) => ({ id: `wamid.${n}`, from: '14155550123' })),
  });
  await lockWaiters(app);
  await write(neighbour, newPhone(), { text: 'Hello' });
  await holder.query('rollback');
  expect((await posted).status).toBe(200);
  expect(await stored(shop)).toHaveLength(101);
});

test('the sender of a message is found without scanning all contacts', () => {
  let reads = 0;
  const contacts = Array.from({ length: 50 }, (_, n) => ({
    user_id: `US.${n}`,
    profile: { name: `Writer ${n}` },
    get wa_id() {
      reads++;
      return String(14155550000 + n);
    },
  }));
  const messages = contacts.map((contact, n) => ({
    id: `wamid.${n}`,
    ...(n % 2 ? { from: String(14155550000 + n) } : { from_user_id: contact.user_id }),
  }));
  const value = { metadata: { phone_number_id: '1' }, contacts, messages };
  const { numbers } = readCallback({ entry: [{ changes: [{ field: 'messages', value }] }] });
  expect(numbers[0]!.messages.map(({ profileName }) => profileName)).toEqual(
    contacts.map(({ profile }) => profile.name),
  );
  // A few reads per contact, not one per contact and message.
  expect(reads).toBeLessThan(10 * contacts.length);
});

/** Posts a callback that reports problems of a tenant's number. */
const postErrors = (shop: TestTenant, errors: object[]) => postCallback(app, shop, { errors });

const locked = { code: 131031, title: 'Locked', error_data: { details: 'Account is locked.' } };

const problemOf = async (shop: TestTenant) => (await listNumbers(app.db, shop.id))[0]!.problem;

test('a problem that the network reports of a number is shown to its tenant', async () => {
  const shop = await app.tenant();
  await postErrors(shop, [{ code: 1, title: 'Slow' }, locked]);
  expect(await problemOf(shop)).toBe('Account is locked (network code 131031).');
});

test.each([
  [
    'message',
    { messages: [{ id: 'wamid.1', from: '14155550123', timestamp: '1790000000', type: 'text' }] },
  ],
  ['status', { statuses: [{ id: 'wamid.1', status: 'sent', timestamp: '1790000000' }] }],
])('errors beside a %s do not mark the number as broken', async (_, reported) => {
  const shop = await app.tenant();
  const details = 'Unsupported webhook payload';
  const errors = [{ code: 131000, title: 'Something went wrong', error_data: { details } }];
  expect((await postCallback(app, shop, { ...reported, errors })).status).toBe(200);
  expect(await problemOf(shop)).toBeNull();
});

test('a callback full of errors of one number does not delay other tenants', async () => {
  const [shop, neighbour] = [await app.tenant(), await app.tenant()];
  const locksNumbers = 'select from numbers where tenant_id = $1 for update';
  const holder = await holdLocks(app, locksNumbers, [shop.id]);
  const posted = postErrors(
    shop,
    Array.from({ length: 100 }, (_, code) => ({ ...locked, code })),
  );
  await lockWaiters(app);
  expect((await neighbour.call('GET', '/statuses')).status).toBe(200);
  await holder.query('commit');
  expect((await posted).status).toBe(200);
});

test('a received file is downloaded from the network on request', async () => {
  const shop = await app.tenant();
  const { access_token: token } = await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: shop.number.phone_number_id,
  });
  const form = new FormData();
  form.set('messaging_product', 'whatsapp');
  const bytes = await readFile(new URL(import.meta.url));
  form.set('file', new Blob([bytes], { type: 'text/plain' }), 'a.txt');
  const uploaded = await fetch(`${app.simulator.url}/v25.0/${shop.number.phone_number_id}/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const { id: mediaId } = (await uploaded.json()) as { id: string };
  const phone = newPhone();
  await write(shop, phone, { type: 'document', document: { id: mediaId, filename: 'a.txt' } });
  await write(shop, phone, { type: 'image', image: { id: '999' } });
  const [missing, message] = await listConversationMessages(app.db, shop.id, phone, { limit: 2 });

  const services = { ...app.services, numbers: createNumberFinder(app.services) };
  const opened = await openMedia(services, shop.id, message!.id);
  expect(opened).toMatchObject({ mimeType: 'text/plain', filename: 'a.txt', bytes: bytes.length });
  expect(Buffer.concat(await (await opened.read(undefined)).toArray())).toEqual(bytes);
  await expect(openMedia(services, shop.id, missing!.id)).rejects.toThrow('Not found.');
  const other = await app.tenant();
  await expect(openMedia(services, other.id, message!.id)).rejects.toThrow('Not found.');

  // A file is not treated as gone if the network refuses the token.
  await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: shop.number.phone_number_id,
    access_token: 'EAAchanged',
  });
  const refused = openMedia(services, shop.id, message!.id);
  await expect(refused).rejects.toThrow(
    'The file could not be loaded from the network. Try again later.',
  );
  const [number] = await listNumbers(app.db, shop.id);
  expect(number!.problem).toContain('refused the access token');
});
