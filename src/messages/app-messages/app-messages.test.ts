import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { eventually, eventuallyHolds } from '../../../test/checks/eventually.ts';
import { findWindow } from '../../../test/features/find-window.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { control } from '../../../test/servers/control.ts';
import { checkNumber } from '../../numbers/checking/check-number.ts';
import { createNumberFinder } from '../../numbers/find-number.ts';
import { listNumbers } from '../../numbers/queries.ts';
import { listConversationMessages } from '../conversations/conversation-queries.ts';
import { listConversations } from '../conversations/inbox/list-conversations.ts';

const app = testApp();
let count = 0;
const newPhone = () => `+1415557${String(++count).padStart(4, '0')}`;
const newId = () => `wamid.app${++count}`;
const secondsAgo = (seconds: number) => String(Math.floor(Date.now() / 1000) - seconds);

const report = (shop: TestTenant, field: string, value: object) =>
  control(app, 'POST', '/simulator/changes', {
    phone_number_id: shop.number.phone_number_id,
    field,
    value,
  });

/** Reports a text that staff wrote in the phone app. */
const echo = (shop: TestTenant, to: string, id: string, body = 'On its way') =>
  report(shop, 'smb_message_echoes', {
    message_echoes: [
      { to: to.slice(1), id, timestamp: secondsAgo(1), type: 'text', text: { body } },
    ],
  });

const write = (shop: TestTenant, from: string, text: string) =>
  control(app, 'POST', '/simulator/inbound', {
    phone_number_id: shop.number.phone_number_id,
    from,
    text,
  });

const thread = (shop: TestTenant, phone: string, limit = 100) =>
  listConversationMessages(app.db, shop.id, phone, { limit });

const hasMessages = (shop: TestTenant, phone: string, messages: number) =>
  eventually(async () => (await thread(shop, phone)).length === messages);

async function events(shop: TestTenant): Promise<number> {
  const { rows } = await app.db.query<{ count: number }>(sql`
    select count(*)::int as count from deliveries where tenant_id = ${shop.id}`);
  return rows[0]!.count;
}

describe('a message of the phone app', () => {
  test('is an outgoing message, once, and opens no window', async () => {
    const shop = await app.tenant();
    const phone = newPhone();
    const id = newId();
    await echo(shop, phone, id);
    await hasMessages(shop, phone, 1);
    await echo(shop, phone, id);
    await write(shop, phone, 'Thanks');
    await hasMessages(shop, phone, 2);
    await echo(shop, phone, newId(), 'You are welcome');
    await hasMessages(shop, phone, 3);
    expect(await thread(shop, phone)).toMatchObject([
      { direction: 'out', cause: 'app', content: { text: 'You are welcome' }, status: 'sent' },
      { direction: 'in', cause: null },
      { direction: 'out', cause: 'app', network_id: id },
    ]);
  });

  test('before the person ever wrote leaves the window closed and nothing unread', async () => {
    const shop = await app.tenant();
    const phone = newPhone();
    await echo(shop, phone, newId());
    await hasMessages(shop, phone, 1);
    expect(await findWindow(app.db, shop.id, phone, shop.number.id)).toBeNull();
    expect(await listConversations(app.db, shop.id, { limit: 5 })).toMatchObject([
      { unread: 0, is_open: false },
    ]);
  });

  test('that is the echo of a send through the API is that message, after its response and during the send', async () => {
    const shop = await app.tenant();
    const phone = newPhone();
    const body = { phone_number: phone, type: 'text', message: 'Hello' };
    const sent = (await shop.call('POST', '/messages/send', body)).body.data;
    await echo(shop, phone, sent.message_id, 'Hello');
    await echo(shop, phone, newId(), 'Marker');
    await hasMessages(shop, phone, 2);

    // A send whose response has not come yet: the echo is refused until it has, and reported again.
    const other = newPhone();
    const { rows } = await app.db.query<{ id: number }>(sql`
      with conversation as (
        insert into conversations (tenant_id, person, number_id) values (${shop.id}, ${other}, ${shop.number.id})
      )
      insert into messages (tenant_id, number_id, direction, person, kind, content)
      values (${shop.id}, ${shop.number.id}, 'out', ${other}, 'text', '{"text": "Hello"}')
      returning id`);
    const id = newId();
    await echo(shop, other, id, 'Hello');
    await app.db.query(sql`
      insert into message_states (tenant_id, message_id, created_at, status, network_id)
      values (${shop.id}, ${rows[0]!.id}, now(), 'sent', ${id})`);
    await echo(shop, other, newId(), 'Marker');
    await eventuallyHolds(async () =>
      expect((await thread(shop, other)).map(({ content }) => content.text)).toEqual([
        'Marker',
        'Hello',
      ]),
    );
  });

  test('limits the number to 20 messages a second', async () => {
    const shop = await app.tenant();
    expect((await listNumbers(app.db, shop.id))[0]!.messages_per_second).not.toBe(20);
    await echo(shop, newPhone(), newId());
    await eventuallyHolds(async () =>
      expect((await listNumbers(app.db, shop.id))[0]!.messages_per_second).toBe(20),
    );
  });
});

describe('the history of the phone app', () => {
  test('of 10,000 messages in one post comes before newer messages, without events', async () => {
    const shop = await app.tenant();
    const phone = newPhone();
    await write(shop, phone, 'New');
    await hasMessages(shop, phone, 1);
    const before = await events(shop);
    const own = shop.number.display_phone_number!.replace(/\D/g, '');
    const messages = Array.from({ length: 10_000 }, (_, n) => ({
      // As the network sends them: only messages of the business have `to`.
      ...(n % 2
        ? { from: own, to: phone.slice(1), to_user_id: 'US.7712' }
        : { from: phone.slice(1), from_user_id: 'US.7712' }),
      id: `wamid.past${n}`,
      timestamp: secondsAgo(86_400 - n),
      type: 'text',
      text: { body: String(n) },
      history_context: { status: 'READ' },
    }));
    const threads = [{ id: phone.slice(1), messages }];
    const chunk = { history: [{ metadata: { phase: 1, chunk_order: 1 }, threads }] };
    await report(shop, 'history', chunk);
    const stored = async () => {
      const { rows } = await app.db.query<{ count: number }>(sql`
        select count(*)::int as count from messages where tenant_id = ${shop.id}`);
      return rows[0]!.count;
    };
    await eventuallyHolds(async () => expect(await stored()).toBe(10_001));
    const latest = await thread(shop, phone, 4);
    expect(latest.map(({ content, direction }) => [content.text, direction])).toEqual([
      ['New', 'in'],
      ['9999', 'out'],
      ['9998', 'in'],
      ['9997', 'out'],
    ]);
    expect(latest[1]).toMatchObject({ status: 'read', cause: 'app' });
    expect(await events(shop)).toBe(before);
    const conversations = await listConversations(app.db, shop.id, { limit: 5 });
    expect(conversations).toMatchObject([{ unread: 1, last: { content: { text: 'New' } } }]);
    const older = await listConversationMessages(app.db, shop.id, phone, {
      before: latest[3]!.id,
      limit: 1,
    });
    expect(older[0]!.content.text).toBe('9996');

    await report(shop, 'history', chunk);
    await echo(shop, phone, newId(), 'Marker');
    await eventuallyHolds(async () => expect(await stored()).toBe(10_002));
  });

  test('has every message of one second, whatever ids are taken', async () => {
    const shop = await app.tenant();
    const phone = newPhone();
    const timestamp = secondsAgo(3_600);
    const past = (id: string) => {
      const messages = [{ from: phone.slice(1), id, timestamp, type: 'text', text: { body: id } }];
      return report(shop, 'history', {
        history: [{ threads: [{ id: phone.slice(1), messages }] }],
      });
    };
    await past(newId());
    await hasMessages(shop, phone, 1);
    // The id of a past message ends with that of the sequence.
    await app.db.query(
      sql`select setval('messages_id_seq', (select last_value + 999 from messages_id_seq))`,
    );
    await past(newId());
    await hasMessages(shop, phone, 2);
  });

  test('shows a file that comes after its placeholder', async () => {
    const shop = await app.tenant();
    const phone = newPhone();
    const id = newId();
    const message = { from: phone.slice(1), id, timestamp: secondsAgo(500) };
    const threads = [{ id: phone.slice(1), messages: [{ ...message, type: 'media_placeholder' }] }];
    await report(shop, 'history', { history: [{ threads }] });
    await hasMessages(shop, phone, 1);
    const image = { id: '77', mime_type: 'image/jpeg' };
    await report(shop, 'history', { messages: [{ ...message, type: 'image', image }] });
    await eventuallyHolds(async () =>
      expect(await thread(shop, phone)).toMatchObject([
        { kind: 'image', content: { media_id: '77' } },
      ]),
    );
    expect(await findWindow(app.db, shop.id, phone, shop.number.id)).toBeNull();
  });
});

test('a number that has left the phone app sends at its own rate again', async () => {
  const shop = await app.tenant();
  const rate = async () => {
    const [number] = await listNumbers(app.db, shop.id);
    return number!.messages_per_second;
  };
  const own = await rate();
  const phone = newPhone();
  await echo(shop, phone, newId());
  await hasMessages(shop, phone, 1);
  expect(await rate()).toBe(20);
  // The network says in the check that the number is not in the app.
  const numbers = createNumberFinder(app.services);
  const [number] = await numbers.connected(shop.id);
  await checkNumber(app.services, number!);
  expect(await rate()).toBe(own);
});

test('messages of the past are found by their negative ids', async () => {
  const shop = await app.tenant();
  const phone = newPhone();
  const id = newId();
  const from = shop.number.display_phone_number!.replace(/\D/g, '');
  const message = { from, to: phone.slice(1), id, timestamp: secondsAgo(500), type: 'text' };
  const threads = [{ id: phone.slice(1), messages: [{ ...message, text: { body: 'Old' } }] }];
  await report(shop, 'history', { history: [{ threads }] });
  await hasMessages(shop, phone, 1);
  const { body } = await shop.call('GET', '/messages');
  expect(body.data).toMatchObject([{ message_id: id, content: { text: 'Old' } }]);
  expect(body.data[0].id).toBeLessThan(0);
  const found = await shop.call('GET', `/messages/id:${body.data[0].id}`);
  expect(found.body.data).toMatchObject({ message_id: id, id: body.data[0].id });
});

test('contacts of the phone app are added, and known ones stay as they are', async () => {
  const shop = await app.tenant();
  const [known, added] = [newPhone(), newPhone()];
  await shop.call('POST', '/contacts', { firstname: 'Ada', phone: known });
  const contact = (fields: object, action = 'add') => ({
    type: 'contact',
    action,
    contact: fields,
  });
  await report(shop, 'smb_app_state_sync', {
    state_sync: [
      contact({ full_name: 'Other', phone_number: known.slice(1) }),
      contact({ full_name: 'Bea Gil', phone_number: added.slice(1), user_id: 'BR.771' }),
      contact({ full_name: 'Cid', user_id: 'BR.772', username: 'cid' }),
      contact({ phone_number: known.slice(1) }, 'remove'),
    ],
  });
  await eventuallyHolds(async () => {
    const { body } = await shop.call('GET', '/contacts');
    expect(body.data).toMatchObject([
      { firstname: 'Ada', phone: known },
      { firstname: 'Bea Gil', phone: added, user_id: 'BR.771' },
      { firstname: 'Cid', phone: null, user_id: 'BR.772', username: 'cid' },
    ]);
  });
});
