import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAnswering } from '../../src/bots/answering/start-answering.ts';
import { automatedSenderOf } from '../../src/messages/sending/automated/automated-sender-of.ts';
import { syncTemplates } from '../../src/templates/syncing/sync-templates.ts';
import { startDelivering } from '../../src/webhooks/delivering/start-delivering.ts';
import { recordEvents } from '../../src/webhooks/record-events.ts';
import { setWebhook } from '../../src/webhooks/set-webhook.ts';
import { type Coded, faultText } from '../../web/texts/faults.ts';
import { eventually } from '../checks/eventually.ts';
import { testBot, write } from '../features/bots.ts';
import { sameOrigin, signIn, type TestMember } from '../features/sign-in.ts';
import { processPosts, sendWoo, testStore } from '../features/stores.ts';
import { call, type TestTenant, testApp } from '../program/app.ts';
import { control, misbehave } from '../servers/control.ts';

const app = testApp({ PARLEY_WEBHOOK_SCHEDULE: '0' });
const phone = '+14155550199';
let stops: (() => Promise<void>)[];

beforeAll(() => {
  const sender = automatedSenderOf(app.services);
  stops = [
    startDelivering(app.services),
    startAnswering({ ...app.services, sender }),
    processPosts(app),
  ];
});
afterAll(() => Promise.all(stops.map((stop) => stop())));

/** A sentence that a page shows: its text, and its code. */
type Shown = [place: string, text: string | null, says: Coded | null | undefined];

/** Makes something of each kind go wrong. Returns what the pages show of it. */
async function shopWithTroubles() {
  const shop = await app.tenant();
  const { cookie, ...owner } = await signIn(app, shop);
  const store = await testStore(app, shop);
  await sendWoo(app, store, 'order.created', '{}');

  await misbehave(app, shop, { failWith: 131026, count: 1 });
  const text = { phone_number: phone, type: 'text', message: 'Hello' };
  expect((await shop.call('POST', '/messages/send', text)).status).toBe(200);

  await testBot(app, shop, { name: 'Greeter', match: 'any', reply: '{{company}}' });
  await write(app, shop, phone, 'Hello');

  await setWebhook(app.services, shop.id, { url: 'http://127.0.0.1:1/' });
  await recordEvents(app.db, shop.id, [{ type: 'contact.created', data: { id: 1 } }]);

  const path = `/dashboard-api/${shop.slug}/contacts/imports?filename=people.csv`;
  const headers = { ...sameOrigin, cookie, 'content-type': 'text/csv' };
  expect((await call(app, 'POST', path, 'name,city\nAnn,Rome\n', headers)).status).toBe(200);

  await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: shop.number.phone_number_id,
    access_token: 'EAAchanged',
  });
  await expect(syncTemplates(app.services, shop.id)).rejects.toThrow('refused');
  return { shop, owner, store };
}

async function shownTo(
  owner: Pick<TestMember, 'call'>,
  shop: TestTenant,
  storeId: number,
): Promise<Shown[]> {
  const get = async (path: string) => (await owner.call('GET', path)).body.data;
  const [delivery] = (await get('/webhook/deliveries')).deliveries;
  const [event] = (await get(`/stores/${storeId}/events`)).events;
  const [answer] = (await get('/bots/answers')).answers;
  const [upload] = await get('/contacts/imports');
  const [number] = (await get('/numbers')).numbers;
  const overview = await get('/overview');
  const [trouble] = overview.number_problems;
  const [failure] = overview.failures;
  const templates = await get('/template-overview');
  const thread = await get(`/conversation?phone=${encodeURIComponent(phone)}`);
  const { words, words_says } =
    thread.messages.find((each: { failure: object | null }) => each.failure)?.failure ?? {};
  const [listed] = await get('/messages?status=failed');
  const [attempt] = delivery?.attempts ?? [];
  expect(shop.number.display_phone_number).toBe(trouble?.phone);
  return [
    ['a delivery', delivery?.reason, delivery?.reason_says],
    ['an attempt', attempt?.reason, attempt?.reason_says],
    ['a post of a store', event.reason, event.reason_says],
    ['an answer of a bot', answer?.reason, answer?.reason_says],
    ['an import', upload.problem, upload.problem_says],
    ['a number', number.problem, number.problem_says],
    ['the overview', trouble?.problem, trouble?.problem_says],
    ['the templates', templates.problem, templates.problem_says],
    ['a message', words, words_says],
    ['a message of the list', listed?.error?.message, listed?.error?.message_says],
    ['the failures', failure?.title, failure?.title_says],
  ];
}

test('what went wrong has a text and a code, and what an earlier release stored has its text', async () => {
  const { shop, owner, store } = await shopWithTroubles();
  const look = () => shownTo(owner, shop, store.id);
  const shown = await eventually(async () => {
    const all = await look();
    return all.every(([, text]) => text) && all;
  });
  const unreachable = 'The phone cannot receive this message; it may not be on WhatsApp.';
  const refused = /^The network refused (to list the templates: The network refused )?the access/;
  for (const [place, text, says] of shown) {
    expect(says, place).toEqual({
      code: expect.any(String),
      ...(says?.values && { values: says.values }),
    });
    // A refusal of the network has another wording for people.
    if (refused.test(text!)) expect(faultText(says!), place).toContain('Connect the number again');
    else if (text === unreachable) {
      expect(faultText(says!), place).toMatch(
        /^This phone cannot receive the message\. It may not/,
      );
    } else expect(faultText(says!), place).toBe(text);
  }
  expect(Object.fromEntries(shown.map(([place, text]) => [place, text]))).toMatchObject({
    'an attempt': 'The host refused the connection: nothing listens there.',
    'a post of a store': 'The body does not match the topic order.created.',
    'an answer of a bot':
      'Greeter: The reply is empty, because the values of its placeholders are missing.',
    'an import':
      'The first line must name the columns, and none of them is "phone". It has "name", "city".',
    'a number': expect.stringMatching(refused),
    'the templates': expect.stringMatching(refused),
    'a message': unreachable,
    'a message of the list': unreachable,
    'the failures': unreachable,
  });

  // A process of the last release changes the texts, and knows no codes.
  for (const [table, column] of [
    ['numbers', 'problem'],
    ['delivery_attempts', 'reason'],
    ['store_events', 'reason'],
    ['bot_answers', 'reason'],
    ['contact_imports', 'problem'],
    ['template_syncs', 'problem'],
  ]) {
    await app.db.pool.query(`update ${table} set ${column} = 'Older.' where tenant_id = $1`, [
      shop.id,
    ]);
  }
  const later = await look();
  const stored = later.filter(([place]) => !/^(a message.*|the failures|a delivery)$/.test(place));
  expect(stored.map(([, text, says]) => [text, says])).toEqual(stored.map(() => ['Older.', null]));
});
