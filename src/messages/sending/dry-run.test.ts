import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { moveToFreshMinute } from '../../../test/program/clock.ts';
import { onThePhone } from '../../../test/servers/phone.ts';
import { syncTemplates } from '../../templates/syncing/sync-templates.ts';

const app = testApp();
const phone_number = '+14155550123';
const files = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '4' });
  response.end('%PDF');
});

let shop: TestTenant;
let file: string;

beforeAll(async () => {
  shop = await app.tenant({ plan: 'starter' });
  await syncTemplates(app.services, shop.id);
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  file = `http://127.0.0.1:${(files.address() as AddressInfo).port}/invoice.pdf`;
});
afterAll(() => files.close());

const template = { phone_number, template_name: 'login_code', template_language: 'en_US' };
const contact = { firstname: 'Ada' };
const interactive = { type: 'request_contact_info', body: { text: 'May we have your phone?' } };

test('an empty text for an optional field counts as absent in a send of each kind', async () => {
  const own = await app.tenant();
  await syncTemplates(app.services, own.id);
  const empty = { from: '', reference: '' };
  const emptyFields = { field_2: '', header_media_url: '', header_media_id: '' };
  const runs: [path: string, body: object][] = [
    ['/messages/send', { type: 'text', message: 'Hello' }],
    [
      '/messages/media',
      { type: 'document', media_url: file, media_id: '', caption: '', filename: '' },
    ],
    ['/messages/interactive', { interactive }],
    ['/messages/template', { ...template, ...emptyFields, field_1: '123456' }],
  ];
  for (const [path, body] of runs) {
    const sent = { phone_number, ...body, ...empty };
    const { body: checked } = await own.call('POST', path, { ...sent, dry_run: true });
    expect(checked.data, path).toEqual({ phone_number, status: 'valid' });
  }
  const sent = await own.call('POST', '/messages/template', {
    ...template,
    field_1: '1',
    ...empty,
  });
  expect(sent.body.data).not.toHaveProperty('reference');
  const { body } = await own.call('GET', `/messages?message_id=id:${sent.body.data.id}`);
  expect(body.data[0].reference).toBeNull();
});

test('a dry run checks a send of each kind, and sends, stores and counts nothing', async () => {
  await moveToFreshMinute(app);
  const runs: [path: string, body: object][] = [
    ['/messages/send', { phone_number, type: 'text', message: 'Hello' }],
    ['/messages/media', { phone_number, type: 'document', media_url: file }],
    ['/messages/interactive', { phone_number, interactive }],
    ['/messages/template', { ...template, auto_generate_otp: true, contact }],
  ];
  for (const [path, body] of runs) {
    const {
      status,
      headers,
      body: response,
    } = await shop.call('POST', path, {
      ...body,
      reference: 'order-1042',
      dry_run: true,
    });
    expect([status, response]).toEqual([
      200,
      {
        success: true,
        message: 'The message is valid. Nothing was sent.',
        data: { phone_number, status: 'valid', reference: 'order-1042' },
      },
    ]);
    expect(headers['x-message-quota-remaining']).toBe('1000');
  }
  const counted = await shop.call('GET', '/groups');
  expect(counted.headers['ratelimit-remaining']).toBe('55');
  expect(await onThePhone(app, shop)).toEqual([]);
  for (const table of ['messages', 'conversations', 'contacts', 'idempotency_keys']) {
    const { rows } = await app.db.pool.query(`select from ${table} where tenant_id = $1`, [
      shop.id,
    ]);
    expect([table, rows.length]).toEqual([table, 0]);
  }
});

test('a dry run reports what a send would', async () => {
  const nowhere = file.replace('invoice.pdf', '').replace('http:', 'ftp:');
  for (const [path, body, field] of [
    ['/messages/send', { phone_number: '123', type: 'text', message: 'Hello' }, 'phone_number'],
    ['/messages/send', { phone_number, type: 'text', message: 'Hi', from: '+19' }, 'from'],
    ['/messages/send', { phone_number, type: 'text', message: ' ' }, 'message'],
    ['/messages/media', { phone_number, type: 'image', media_url: file }, 'media_url'],
    ['/messages/media', { phone_number, type: 'document', media_url: nowhere }, 'media_url'],
    ['/messages/template', { ...template, template_name: 'none' }, 'template_name'],
    ['/messages/template', template, 'field_1'],
    ['/messages/template', { ...template, auto_generate_otp: true, field_1: '1' }, 'field_1'],
  ] as const) {
    const { status, body: response } = await shop.call('POST', path, { ...body, dry_run: true });
    expect([status, Object.keys(response.errors)], JSON.stringify(body)).toEqual([422, [field]]);
  }
  const text = { phone_number, type: 'text', message: 'Hello', dry_run: 'yes' };
  const refused = await shop.call('POST', '/messages/send', text);
  expect(Object.keys(refused.body.errors)).toEqual(['dry_run']);
  const unable = await app.tenant({ abilities: ['messages:media'] });
  expect((await unable.call('POST', '/messages/send', { ...text, dry_run: true })).status).toBe(
    403,
  );
});

test('a dry run leaves an Idempotency-Key free for the send, and false and null send', async () => {
  const headers = { 'idempotency-key': 'order-7' };
  const text = { phone_number, type: 'text', message: 'Hello' };
  const send = (more: object) => shop.call('POST', '/messages/send', { ...text, ...more }, headers);
  expect((await send({ dry_run: true })).body.data.status).toBe('valid');
  const sent = await send({ dry_run: false });
  expect(sent.body.data).toMatchObject({ status: 'sent', message_id: expect.any(String) });
  const again = await send({ dry_run: true });
  expect(again.body.data.status).toBe('valid');
  expect(again.headers['idempotency-replayed']).toBeUndefined();
  expect((await send({ dry_run: false })).body).toEqual(sent.body);
  const bad = { 'idempotency-key': 'two words' };
  const malformed = await shop.call('POST', '/messages/send', { ...text, dry_run: true }, bad);
  expect(malformed.status).toBe(400);
  const { rows } = await app.db.query(sql`select from messages where tenant_id = ${shop.id}`);
  expect(rows).toHaveLength(1);
});

test('a list of templates says which field fills what', async () => {
  const { data } = (await shop.call('GET', '/templates')).body;
  const fieldsOf = (name: string) =>
    data.find((each: { name: string }) => each.name === name)?.fields;
  expect(fieldsOf('login_code')).toEqual([
    { name: 'field_1', place: 'body', placeholder: '1' },
    { name: 'field_1', place: 'button', placeholder: '1', button: 0 },
  ]);
  expect(fieldsOf('order_update')).toMatchObject([
    { name: 'field_1', place: 'body', placeholder: '1' },
    { name: 'field_2', place: 'body', placeholder: '2' },
    { name: 'field_3', place: 'body', placeholder: '3' },
  ]);
});

test('a send without it has its ids, the message id first', async () => {
  for (const dry_run of [undefined, false]) {
    const body = { phone_number, type: 'text', message: 'Hello', dry_run };
    const { body: response } = await shop.call('POST', '/messages/send', body);
    expect(Object.entries(response.data)).toEqual([
      ['message_id', expect.stringMatching(/^wamid\./)],
      ['phone_number', phone_number],
      ['status', 'sent'],
      ['id', expect.any(Number)],
    ]);
  }
});
