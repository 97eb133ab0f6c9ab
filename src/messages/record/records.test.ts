import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { testBot, write } from '../../../test/features/bots.ts';
import { signIn } from '../../../test/features/sign-in.ts';
import { fixture, processPosts, sendWoo, shopWithTemplate } from '../../../test/features/stores.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { control, misbehave } from '../../../test/servers/control.ts';
import { startAnswering } from '../../bots/answering/start-answering.ts';
import { syncTemplates } from '../../templates/syncing/sync-templates.ts';
import { automatedSenderOf } from '../sending/automated/automated-sender-of.ts';
import { findRecords } from './listing/find-records.ts';
import { presentRecord } from './present-record.ts';
import type { MessageRecord } from './record-schema.ts';

const app = testApp();
const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
const otp = {
  phone_number: '+14155550124',
  template_name: 'login_code',
  template_language: 'en_US',
  auto_generate_otp: true,
};

/** Waits until the tenant has this many messages, and reads their records, oldest first. */
async function recordsOf(shop: TestTenant, count: number): Promise<MessageRecord[]> {
  const ids = await eventually(async () => {
    const { rows } = await app.db.pool.query(
      'select id from messages where tenant_id = $1 order by id',
      [shop.id],
    );
    return rows.length >= count && rows.map(({ id }) => id);
  });
  const rows = await findRecords(app.db, shop.id, ids);
  return rows.sort((a, b) => a.id - b.id).map((row) => presentRecord(row));
}

describe('the reference of a send', () => {
  test('is in the response, the lookup, the record and the replay, of every kind of send', async () => {
    const shop = await app.tenant();
    await syncTemplates(app.services, shop.id);
    const sent = await shop.call('POST', '/messages/send', { ...text, reference: 'order 1042' });
    expect(sent.body.data.reference).toBe('order 1042');
    const { id } = sent.body.data;
    const lookup = await shop.call('GET', `/messages/id:${id}`);
    expect(lookup.body.data).toMatchObject({
      reference: 'order 1042',
      timeline: expect.arrayContaining([{ status: 'sent', at: expect.any(String) }]),
    });

    const code = await shop.call('POST', '/messages/template', {
      ...otp,
      reference: 'x'.repeat(256),
    });
    expect(code.body.data).toMatchObject({ reference: 'x'.repeat(256), otp: expect.any(String) });
    const media = { type: 'image', media_url: `${app.simulator.url}/nothing`, reference: 'a' };
    expect((await shop.call('POST', '/messages/media', { ...text, ...media })).status).toBe(422);

    const key = { 'idempotency-key': 'one' };
    const again = () => shop.call('POST', '/messages/send', { ...text, reference: 'r' }, key);
    const first = await again();
    expect((await again()).body).toEqual(first.body);
    // The response was lost with its process.
    await app.db.pool.query(
      'update idempotency_keys set answer = null, held_until = now() where tenant_id = $1',
      [shop.id],
    );
    expect((await again()).body).toEqual(first.body);

    const plain = await shop.call('POST', '/messages/send', { ...text, reference: null });
    expect(plain.body.data).not.toHaveProperty('reference');
    const references = (await recordsOf(shop, 4)).map(({ reference }) => reference);
    expect(references).toEqual(['order 1042', 'x'.repeat(256), 'r', null]);
  });

  test.each([
    ['x'.repeat(257), 'must have at most 256 characters; it has 257'],
    [7, 'must be a string'],
    ['a\0b', /NUL/],
  ])('is refused if it is %j', async (reference, problem) => {
    const shop = await app.tenant();
    const { status, body } = await shop.call('POST', '/messages/send', { ...text, reference });
    expect(status).toBe(422);
    expect(body.errors).toEqual({ reference: [expect.stringMatching(problem)] });
  });
});

describe('the cause of a message', () => {
  test('is the token, the member, the bot, the store or the phone app', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    const bot = await testBot(app, shop, { match: 'any', reply: 'From 9 to 5.' });
    const member = await signIn(app, shop, 'staff', 'Grace Hopper');
    const stops = [
      processPosts(app),
      startAnswering({ ...app.services, sender: automatedSenderOf(app.services), lookEveryMs: 50 }),
    ];
    await shop.call('POST', '/messages/send', text);
    await member.call('POST', '/messages/send', text);
    await sendWoo(app, store, 'order.created', fixture('woocommerce-order.json'));
    await write(app, shop, '14155550199', 'Hi');
    await recordsOf(shop, 5);
    for (const stop of stops) await stop();
    await control(app, 'POST', '/simulator/changes', {
      phone_number_id: shop.number.phone_number_id,
      field: 'smb_message_echoes',
      value: {
        message_echoes: [
          {
            id: 'wamid.echo',
            to: '14155550123',
            timestamp: '1793000000',
            type: 'text',
            text: { body: 'Hi' },
          },
        ],
      },
    });
    const records = await recordsOf(shop, 6);
    const causes = records.map(({ direction, cause }) => ({ direction, cause }));
    const out = (cause: object) => ({ direction: 'out', cause });
    expect(causes).toEqual([
      out({ kind: 'api', id: shop.tokenId, name: expect.any(String) }),
      out({ kind: 'member', id: member.userId, name: 'Grace Hopper' }),
      out({ kind: 'store', id: store.id, name: store.name }),
      { direction: 'in', cause: null },
      out({ kind: 'bot', id: bot.id, name: bot.name }),
      out({ kind: 'app', id: null, name: null }),
    ]);
  });
});

describe('the record of an inbound message', () => {
  const link = /^\/api\/[\w-]+\/media\/message-\d+$/;
  const file = { id: expect.stringMatching(/^message-\d+$/), link: expect.stringMatching(link) };
  const form = { name: 'flow', body: 'Sent', response_json: '{"name":"Ada"}' };
  const cards = [{ name: { formatted_name: 'Grace' }, phones: [{ phone: '+1 415 555 0100' }] }];
  const order = { catalog_id: '7', product_items: [{ product_retailer_id: 'a', quantity: 1 }] };
  const place = { latitude: 37.5, longitude: -122.1, name: 'Office' };
  const kinds: [type: string, own: object, content: object, more?: object][] = [
    ['text', { body: 'Hello' }, { text: 'Hello' }],
    [
      'image',
      { id: '77', mime_type: 'image/jpeg', caption: 'Look' },
      { caption: 'Look', media: { ...file, mime_type: 'image/jpeg' } },
    ],
    [
      'audio',
      { id: '78', mime_type: 'audio/ogg', voice: true },
      { media: { ...file, mime_type: 'audio/ogg', voice: true } },
    ],
    ['document', { id: '79', filename: 'a.pdf' }, { media: { ...file, filename: 'a.pdf' } }],
    [
      'button',
      { text: 'Yes', payload: 'yes' },
      { text: 'Yes', button: { id: 'yes', title: 'Yes' } },
    ],
    [
      'interactive',
      { type: 'button_reply', button_reply: { id: 'a', title: 'A' } },
      { text: 'A', button: { id: 'a', title: 'A' } },
    ],
    [
      'interactive',
      { type: 'list_reply', list_reply: { id: 'b', title: 'B', description: 'Second' } },
      { text: 'B', list: { id: 'b', title: 'B', description: 'Second' } },
    ],
    [
      'interactive',
      { type: 'nfm_reply', nfm_reply: form },
      { text: 'Sent', form: { name: 'flow', answer: { name: 'Ada' } } },
    ],
    ['order', order, { order }],
    ['location', place, { location: place }],
    ['contacts', cards, { contacts: cards }],
    [
      'reaction',
      { message_id: 'wamid.x', emoji: '👍' },
      { reaction: { message_id: 'wamid.x', emoji: '👍' } },
    ],
    [
      'text',
      { body: 'From an advertisement' },
      { text: 'From an advertisement', referral: { source_id: '1' } },
      { referral: { source_id: '1' }, context: { id: 'wamid.quoted' } },
    ],
  ];

  test('has the public content of each type', async () => {
    const shop = await app.tenant();
    const messages = kinds.map(([type, own, , more], index) => ({
      from: '14155550188',
      id: `wamid.in.${shop.id}.${index}`,
      timestamp: String(1_793_000_000 + index),
      type,
      [type]: own,
      ...more,
    }));
    await control(app, 'POST', '/simulator/changes', {
      phone_number_id: shop.number.phone_number_id,
      field: 'messages',
      value: { contacts: [{ wa_id: '14155550188', profile: { name: 'Ana' } }], messages },
    });
    const records = await recordsOf(shop, kinds.length);
    expect(records.map(({ type, content }) => [type, content])).toEqual(
      kinds.map(([type, , content]) => [type, content]),
    );
    expect(records.at(-1)).toEqual({
      id: expect.any(Number),
      message_id: messages.at(-1)!.id,
      direction: 'in',
      type: 'text',
      status: 'received',
      phone_number: '+14155550188',
      user_id: null,
      contact_id: expect.any(Number),
      number: {
        phone_number_id: shop.number.phone_number_id,
        display_phone_number: shop.number.display_phone_number,
      },
      reference: null,
      cause: null,
      content: expect.any(Object),
      reply_to: 'wamid.quoted',
      error: null,
      pricing: null,
      created_at: expect.stringMatching(/Z$/),
      sent_at: null,
      delivered_at: null,
      read_at: null,
      failed_at: null,
    });
  });
});

describe('the record of a sent message', () => {
  test('has times and the price, and as of an earlier status nothing that came later', async () => {
    const shop = await app.tenant({ delivers: true });
    await shop.call('POST', '/messages/send', text);
    const [record] = await eventually(async () => {
      const records = await recordsOf(shop, 1);
      return records[0]!.delivered_at !== null && records;
    });
    const pricing = { category: 'service', type: 'free_customer_service', billable: false };
    expect(record).toMatchObject({ status: 'delivered', pricing, content: { text: 'Hello' } });
    const [row] = await findRecords(app.db, shop.id, [record!.id]);
    const sent = { ...record, status: 'sent', delivered_at: null };
    expect(presentRecord(row!, { status: 'sent', at: new Date() })).toEqual(sent);
    const billed = { ...row!, pricing: { ...pricing, billable: true } };
    expect(presentRecord(billed).pricing).toMatchObject({ billable: true });
    expect(presentRecord({ ...billed, status: 'failed' }).pricing).toEqual(pricing);
    expect(await findRecords(app.db, (await app.tenant()).id, [record!.id])).toEqual([]);
  });

  test('explains a failure, and says whether the same message may succeed later', async () => {
    const shop = await app.tenant();
    const refuse = async (code: number, status: number | null = null) => {
      await misbehave(app, shop, { failWith: code, failAs: 'answer', status });
      return shop.call('POST', '/messages/send', text);
    };
    await refuse(131026);
    await refuse(131016);
    // A code that we do not know says as little as its status.
    expect((await refuse(1, 500)).body.code).toBe('network_unavailable');
    expect((await refuse(1, 400)).body.code).toBe('network_refused');
    const [refused, busy, failing, rejected] = await recordsOf(shop, 4);
    expect(refused).toMatchObject({ status: 'failed', message_id: null, sent_at: null });
    expect(refused!.failed_at).not.toBeNull();
    expect(refused!.error).toMatchObject({
      code: 131026,
      message: 'The phone cannot receive this message; it may not be on WhatsApp.',
      retryable: false,
    });
    expect(busy!.error).toMatchObject({ code: 131016, retryable: true });
    expect(failing!.error).toMatchObject({ code: 1, retryable: true });
    expect(rejected!.error).toMatchObject({ code: 1, retryable: false });
    const lookup = await shop.call('GET', `/messages/id:${refused!.id}`);
    expect(lookup.body.data).toMatchObject({
      error: refused!.error,
      timeline: [{ status: 'failed', at: refused!.failed_at }],
    });
  });

  test('never has a one-time password', async () => {
    const shop = await app.tenant();
    await syncTemplates(app.services, shop.id);
    const { body } = await shop.call('POST', '/messages/template', otp);
    const [record] = await recordsOf(shop, 1);
    expect(record).toMatchObject({
      type: 'template',
      content: { template: { name: 'login_code' } },
    });
    expect(JSON.stringify(record)).not.toContain(body.data.otp);
  });
});
