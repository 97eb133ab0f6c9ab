import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formEnd, formOf, formType, type Part } from '../../test/features/forms.ts';
import { sameOrigin, signIn, type TestMember } from '../../test/features/sign-in.ts';
import { call, type TestTenant, testApp } from '../../test/program/app.ts';
import { connectTestNumber } from '../../test/servers/control.ts';
import { onThePhone } from '../../test/servers/phone.ts';
import type { NumberRow } from '../numbers/queries.ts';
import { syncTemplates } from '../templates/syncing/sync-templates.ts';
import { deleteExpiredUploads } from './queries.ts';

const megabyte = 1024 * 1024;
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGM4oKAARAAIRwIBVrfQ3wAAAABJRU5ErkJggg==',
  'base64',
);
const invoice = Buffer.from('%PDF-1.7\nthe invoice');
const to = { phone_number: '+14155550123' };

/** The network: the simulator, or for uploads a server that forgets their bytes and gives this response. */
let responseToUploads: { status: number; body: object } | undefined;
let swallowedBytes = 0;
const network = createServer((incoming, response) => {
  if (responseToUploads && incoming.url?.endsWith('/media')) {
    const { status, body } = responseToUploads;
    incoming.on('data', (chunk: Buffer) => {
      swallowedBytes += chunk.length;
    });
    incoming.on('end', () => response.writeHead(status).end(JSON.stringify(body)));
    return;
  }
  const { method, url, headers } = incoming;
  const passed = httpRequest(`${app.simulator.url}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  // An upload that is broken off.
  passed.on('error', () => response.destroy());
  incoming.pipe(passed);
});
network.listen(0, '127.0.0.1');
await once(network, 'listening');
afterAll(() => {
  network.closeAllConnections();
  network.close();
});

const app = testApp({
  PARLEY_NETWORK_URL: `http://127.0.0.1:${(network.address() as AddressInfo).port}`,
});
let shop: TestTenant;
let second: NumberRow;

beforeAll(async () => {
  shop = await app.tenant();
  const { business_account_id } = shop.number;
  second = await connectTestNumber(app, shop.id, { business_account_id });
});

const upload = (by: TestTenant, ...parts: Part[]) => post(by, formOf(...parts));
const post = (by: TestTenant, body: Buffer | string, headers: object = formType) =>
  by.call('POST', '/media', body, headers as Record<string, string>);
const image = (filename = 'view.png'): Part => [
  'file',
  { filename, type: 'image/png', bytes: picture },
];
const pdf: Part = ['file', { filename: 'Invoice 7.pdf', type: 'application/pdf', bytes: invoice }];

/** Uploads in the dashboard. */
const uploadAs = ({ cookie }: TestMember, { slug }: TestTenant, body: Buffer) =>
  call(app, 'POST', `/dashboard-api/${slug}/media`, body, { ...sameOrigin, cookie, ...formType });

async function uploaded(by: TestTenant, ...parts: Part[]) {
  const response = await upload(by, ...parts);
  expect(response.body).toMatchObject({ success: true });
  return response.body.data;
}

describe('an uploaded file', () => {
  test('needs no type of its part, as of many clients', async () => {
    const document: Part = ['type', 'document'];
    const sent = await uploaded(shop, document, ['file', { filename: 'a.pdf', bytes: invoice }]);
    expect(sent.mime_type).toBe('application/pdf');
    const text = { filename: 'a.txt', bytes: Buffer.from('Opening hours') };
    expect((await uploaded(shop, document, ['file', text])).mime_type).toBe('text/plain');
  });

  test('is sent by its id any number of times, and can be downloaded', async () => {
    const file = await uploaded(shop, ['type', 'document'], pdf);
    expect(file).toEqual({
      media_id: expect.stringMatching(/^upload-\d+$/),
      type: 'document',
      mime_type: 'application/pdf',
      size: invoice.length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      expires_at: expect.stringMatching(/Z$/),
    });
    const message = { ...to, type: 'document', media_id: file.media_id };
    const first = await shop.call('POST', '/messages/media', message);
    const other = await shop.call('POST', '/messages/media', {
      ...message,
      filename: 'Yours.pdf',
      caption: 'Paid',
    });
    expect([first.status, other.status]).toEqual([200, 200]);
    const sent = (await onThePhone(app, shop)).map(({ payload }) => payload.document);
    expect(sent).toEqual([
      { id: expect.any(String), filename: 'Invoice 7.pdf' },
      { id: sent[0].id, filename: 'Yours.pdf', caption: 'Paid' },
    ]);

    const download = await shop.call('GET', `/media/${file.media_id}`);
    expect(download.headers).toMatchObject({
      'content-disposition': `attachment; filename="Invoice 7.pdf"; filename*=UTF-8''Invoice%207.pdf`,
      'content-type': 'application/pdf',
    });
    const asSent = await shop.call('GET', `/media/message-${first.body.data.id}`);
    expect([download.body, asSent.body]).toEqual([invoice.toString(), invoice.toString()]);
    const [record] = (await shop.call('GET', '/messages?type=document&limit=1')).body.data;
    expect(record.content.media).not.toHaveProperty('media_id');
    expect(record.content.media).toMatchObject({
      mime_type: 'application/pdf',
      size: invoice.length,
    });
  });

  test('that is a picture and a page at once is sent as a picture, and never shown by a browser', async () => {
    const page = Buffer.from('<!doctype html><script>alert(1)</script>');
    const both: Part = [
      'file',
      { filename: 'a.html', type: 'image/png', bytes: Buffer.concat([picture, page]) },
    ];
    const { media_id, mime_type } = await uploaded(shop, ['type', 'image'], both);
    expect(mime_type).toBe('image/png');
    expect((await shop.call('GET', `/media/${media_id}`)).headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': expect.stringMatching(/^attachment/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
  });

  test('has the same id whenever it is uploaded for the same number, and then lives longer', async () => {
    const first = await uploaded(shop, ['type', 'image'], image());
    await app.moveClock(86_400_000);
    // The order of the parts does not matter, and the type may be left to the content.
    const untyped = { filename: 'v', type: 'application/octet-stream', bytes: picture };
    const again = await uploaded(shop, ['file', untyped], ['type', 'image']);
    expect(again).toEqual({ ...first, expires_at: expect.any(String) });
    const longerMs = Date.parse(again.expires_at) - Date.parse(first.expires_at);
    expect(longerMs).toBeGreaterThanOrEqual(86_400_000);
    const elsewhere = await uploaded(
      shop,
      ['from', second.phone_number_id],
      ['type', 'image'],
      image(),
    );
    expect(elsewhere.media_id).not.toBe(first.media_id);
  });

  test('is sent by the number for which it was uploaded, and by no other', async () => {
    const from = second.phone_number_id;
    const { media_id } = await uploaded(shop, ['from', from], ['type', 'image'], image());
    const message = { phone_number: '+14155550188', type: 'image', media_id };
    expect((await shop.call('POST', '/messages/media', message)).status).toBe(200);
    const [sent] = await onThePhone(app, { ...shop, number: second });
    expect(sent.payload.image).toEqual({ id: expect.any(String) });
    const wrong = await shop.call('POST', '/messages/media', {
      ...message,
      from: shop.number.phone_number_id,
    });
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors.media_id[0]).toContain(`was uploaded for the number `);
    expect(wrong.body.errors.media_id[0]).toContain(from);
  });

  test('fills the header of a template', async () => {
    await syncTemplates(app.services, shop.id);
    const template = {
      ...to,
      template_name: 'spring_offer',
      template_language: 'en',
      field_1: 'Amina',
      field_2: 'SPRING15',
    };
    const { media_id } = await uploaded(shop, ['type', 'image'], image());
    const send = (fields: object) =>
      shop.call('POST', '/messages/template', { ...template, ...fields });
    const sent = await send({ header_media_id: media_id });
    expect(sent.body).toMatchObject({ data: { status: 'sent' } });
    const latest = (await onThePhone(app, shop)).at(-1);
    expect(latest.rendered.header.id).toEqual(expect.any(String));
    const { content } = (await shop.call('GET', '/messages?type=template')).body.data[0];
    const media_of_message = `message-${sent.body.data.id}`;
    expect(content.header).toEqual({
      format: 'IMAGE',
      media: { id: media_of_message, link: `/api/${shop.slug}/media/${media_of_message}` },
    });
    const file = await shop.call('GET', `/media/${media_of_message}`);
    expect(file.status).toBe(200);

    const document = await uploaded(shop, ['type', 'document'], pdf);
    const url = 'https://files.example.com/a.png';
    expect((await send({ header_media_id: document.media_id })).body.errors).toEqual({
      header_media_id: [expect.stringContaining('is of type application/pdf')],
    });
    expect((await send({ header_media_id: 'upload-999999' })).body.errors).toEqual({
      header_media_id: [expect.stringContaining('is not a file')],
    });
    const both = await send({ header_media_id: media_id, header_media_url: url });
    expect(both.body.errors.header_media_id).toEqual([
      'must be absent with header_media_url: the message has one file',
    ]);
  });

  test('has its name in the header of a template, or the one that the send gives it', async () => {
    const buyer = await app.tenant();
    await syncTemplates(app.services, buyer.id);
    const { media_id } = await uploaded(buyer, ['type', 'document'], pdf);
    const send = async (fields: object = {}) => {
      const { status, body } = await buyer.call('POST', '/messages/template', {
        ...to,
        template_name: 'invoice_ready',
        template_language: 'en',
        field_1: '#7',
        header_media_id: media_id,
        ...fields,
      });
      expect([status, body.errors]).toEqual([200, undefined]);
      return (await onThePhone(app, buyer)).at(-1);
    };
    const named = await send();
    expect(named.payload.template.components[0].parameters).toEqual([
      { type: 'document', document: { id: expect.any(String), filename: 'Invoice 7.pdf' } },
    ]);
    const renamed = await send({ header_filename: ' Yours.pdf ' });
    expect(renamed.rendered.header).toMatchObject({
      format: 'DOCUMENT',
      filename: 'Yours.pdf',
    });
    const [latest] = (await buyer.call('GET', '/messages?type=template')).body.data;
    expect(latest.content.header.media).toMatchObject({ filename: 'Yours.pdf' });
    const file = await buyer.call('GET', `/media/${latest.content.header.media.id}`);
    expect(file.headers['content-disposition']).toContain('filename="Yours.pdf"');
  });

  test('is refused in a send that names no file, two files, or one that it may not send', async () => {
    const other = await app.tenant();
    const foreign = await uploaded(other, ['type', 'image'], image());
    const own = await uploaded(shop, ['type', 'image'], image());
    const required = { media_url: ['is required'] };
    const unknown = { media_id: ['is not a file that this tenant uploaded in the last 30 days'] };
    const cases: [object, object][] = [
      [{ type: 'image' }, required],
      [{ type: 'image', media_id: null, media_url: '' }, required],
      [{ media_id: foreign.media_id, type: 'image' }, unknown],
      [{ media_id: 'message-42', type: 'image' }, unknown],
      [{ media_id: '1', type: 'image' }, unknown],
      [
        { media_id: own.media_id, type: 'video' },
        { media_id: [expect.stringContaining('is of type image/png; for type video')] },
      ],
      [
        { media_id: own.media_id, media_url: 'https://files.example.com/a.png', type: 'image' },
        { media_id: ['must be absent with media_url: the message has one file'] },
      ],
      [
        { media_id: foreign.media_id, type: 'image', phone_number: 'x', from: '+1' },
        { ...unknown, phone_number: [expect.any(String)], from: [expect.any(String)] },
      ],
    ];
    for (const [fields, errors] of cases) {
      const refused = await shop.call('POST', '/messages/media', { ...to, ...fields });
      expect({ fields, status: refused.status, errors: refused.body.errors }).toEqual({
        fields,
        status: 422,
        errors,
      });
    }
    expect((await shop.call('GET', `/media/${foreign.media_id}`)).status).toBe(404);
  });

  test('is forgotten after 30 days', async () => {
    const { media_id } = await uploaded(shop, ['type', 'image'], image());
    await app.moveClock(30 * 86_400_000 - 60_000);
    await deleteExpiredUploads(app.db, 100);
    expect((await shop.call('GET', `/media/${media_id}`)).status).toBe(200);
    await app.moveClock(60_000);
    const late = await shop.call('POST', '/messages/media', { ...to, type: 'image', media_id });
    expect(late.body.errors).toHaveProperty('media_id');
    expect((await shop.call('GET', `/media/${media_id}`)).status).toBe(404);
    expect(await deleteExpiredUploads(app.db, 100)).toBeGreaterThan(0);
  });
});

describe('an upload is refused', () => {
  const kind: Part = ['type', 'image'];
  const fileOf = (type: string, bytes: Buffer): Part => ['file', { filename: 'a', type, bytes }];
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]);
  const page = Buffer.from('<!doctype html><script>alert(1)</script>');
  const long = Buffer.alloc(5 * megabyte + 1);
  picture.copy(long);

  test.each<[string, Part[], Record<string, (string | RegExp)[]>]>([
    ['without anything', [], { file: ['is required'], type: ['is required'] }],
    ['without a file', [kind], { file: ['is required'] }],
    ['with a field in place of the file', [kind, ['file', 'x']], { file: ['is required'] }],
    ['with two files', [kind, image(), image()], { file: ['must be the only file of the form'] }],
    [
      'with a file of another name',
      [kind, ['photo', { filename: 'a', type: 'image/png', bytes: picture }]],
      { file: ['must be the only file of the form'] },
    ],
    ['without a type', [image()], { type: ['is required'] }],
    ['with an unknown type', [['type', 'sticker'], image()], { type: [/must be one of image/] }],
    ['with a name of 10,000 characters', [kind, image('a'.repeat(10_000))], { file: [/10,?000/] }],
    ['with NUL in its name', [kind, image('a\0.png')], { file: [/name that is not valid/] }],
    [
      'with the content of another type',
      [kind, fileOf('image/png', jpeg)],
      { file: ['is declared as image/png, but its content is image/jpeg'] },
    ],
    [
      'with a page in place of an image',
      [kind, fileOf('image/png', page)],
      { file: [/its content is text\/plain/] },
    ],
    [
      'with a program as a text',
      [['type', 'document'], fileOf('text/plain', Buffer.from('MZ\0\0'))],
      { file: [/is of type application\/octet-stream/] },
    ],
    ['with a type of another kind', [kind, pdf], { file: [/is of type application\/pdf/] }],
    ['with another kind after the file', [pdf, kind], { file: [/is of type application\/pdf/] }],
    [
      'with a type that the network does not take',
      [fileOf('image/gif', page), kind],
      { file: [/image\/gif/] },
    ],
    [
      'without content',
      [kind, fileOf('image/png', Buffer.alloc(0))],
      { file: ['is an empty file'] },
    ],
    ['over the limit', [kind, fileOf('image/png', long)], { file: [/longer than 5 MB/] }],
    [
      'from an unknown number',
      [['from', '+15550999'], kind, image()],
      { from: [/is not a connected number/] },
    ],
    [
      'with the number after the file',
      [kind, image(), ['from', '1']],
      { from: [/must come before/] },
    ],
  ])('%s', async (_, parts, errors) => {
    const refused = await upload(shop, ...parts);
    const expected = Object.entries(errors).map(([field, texts]) => [
      field,
      texts.map((text) => (typeof text === 'string' ? text : expect.stringMatching(text))),
    ]);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual(Object.fromEntries(expected));
  });

  test('if the body is not a whole form, is longer than any, or the token may not upload', async () => {
    const form = formOf(kind, image());
    const json = { 'content-type': 'application/json' };
    const boundless = { 'content-type': 'multipart/form-data' };
    const short = { ...formType, 'content-length': String(form.length - 30) };
    const huge = { ...formType, 'content-length': String(200 * megabyte) };
    const reader = await app.tenant({ abilities: ['media:read'] });
    const responses = await Promise.all([
      post(shop, '{}', json),
      post(shop, form, boundless),
      post(shop, form.subarray(0, -30), short),
      post(shop, form, huge),
      post(reader, form),
      shop.call('POST', '/media', form, { ...formType, authorization: 'Bearer none' }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([400, 400, 400, 422, 403, 401]);
  });

  test('from the number of another tenant, by a token and by a member', async () => {
    const other = await app.tenant();
    const member = await signIn(app, shop);
    const form = formOf(['from', other.number.phone_number_id], kind, image());
    for (const refused of [await post(shop, form), await uploadAs(member, shop, form)]) {
      expect(refused.status).toBe(422);
      expect(refused.body.errors).toEqual({ from: [expect.stringMatching(/not a connected/)] });
    }
  });

  test('by the network, because of the file, the number or itself', async () => {
    const error = (code: number) => ({
      error: { code, message: 'No', error_data: { details: 'why' } },
    });
    const results = [];
    for (const [status, body] of [
      [400, error(131053)],
      [400, error(100)],
      [401, error(190)],
      [503, {}],
      [200, {}],
    ] as const) {
      responseToUploads = { status, body };
      const refused = await upload(shop, kind, image());
      results.push([refused.status, refused.body.code, Object.keys(refused.body.errors)]);
    }
    responseToUploads = undefined;
    expect(results).toEqual([
      [422, 'network_refused', ['file']],
      [422, 'network_refused', []],
      [500, 'network_refused', []],
      [500, 'network_unavailable', []],
      [500, 'network_unavailable', []],
    ]);
  });

  test('as soon as a document passes 100 MB, and its bytes are never held', async () => {
    responseToUploads = { status: 200, body: { id: '1' } };
    swallowedBytes = 0;
    let sentBytes = 0;
    let heldBytes = 0;
    const piece = Buffer.alloc(256 * 1024, 'x');
    async function* bytes() {
      yield formOf(
        ['type', 'document'],
        ['file', { filename: 'a', type: 'text/plain', bytes: piece }],
      ).subarray(0, -`\r\n${formEnd}`.length);
      for (; sentBytes < 101 * megabyte; sentBytes += piece.length) {
        heldBytes = Math.max(heldBytes, sentBytes - swallowedBytes);
        yield piece;
      }
    }
    const response = await fetch(`${app.url}/api/${shop.slug}/media`, {
      method: 'POST',
      headers: { ...formType, authorization: `Bearer ${shop.token}` },
      body: Readable.toWeb(Readable.from(bytes())) as ReadableStream,
      duplex: 'half',
    } as RequestInit);
    responseToUploads = undefined;
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { errors: { file: ['is longer than 100 MB; for type document the limit is 100 MB'] } },
    ]);
    expect(swallowedBytes).toBeGreaterThan(90 * megabyte);
    expect(swallowedBytes).toBeLessThan(101 * megabyte);
    // Only the buffers of the connections hold bytes, however long the file is.
    expect(heldBytes).toBeLessThan(32 * megabyte);
  });
});
