import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { type TestTenant, testApp } from '../../../../test/program/app.ts';
import { control, misbehave } from '../../../../test/servers/control.ts';
import { onThePhone } from '../../../../test/servers/phone.ts';
import { syncTemplates } from '../../../templates/syncing/sync-templates.ts';

const app = testApp();
let files: Server;
let fileUrl: string;

beforeAll(async () => {
  files = createServer((request, response) => {
    response.setHeader(
      'content-type',
      request.url?.endsWith('.pdf') ? 'application/pdf' : 'image/png',
    );
    response.end('the file');
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  fileUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
});
afterAll(() => files.close());

/** Creates a tenant with the simulator's templates and these, synced. */
async function shopWith(...templates: object[]): Promise<TestTenant> {
  const shop = await app.tenant();
  for (const template of templates) {
    await control(app, 'POST', '/simulator/templates', {
      business_account_id: shop.number.business_account_id,
      language: 'en',
      ...template,
    });
  }
  await syncTemplates(app.services, shop.id);
  return shop;
}

const to = { phone_number: '+14155550123' };

async function storedContents(shop: TestTenant) {
  const { rows } = await app.db.pool.query(
    'select content from stored_messages where tenant_id = $1',
    [shop.id],
  );
  return rows.map((row) => row.content);
}

describe('a template message', () => {
  test('reaches the phone with its placeholders filled, and is stored as shown', async () => {
    const shop = await shopWith();
    const sent = await shop.call('POST', '/messages/template', {
      ...to,
      template_name: 'order_update',
      template_language: 'en',
      field_1: 'Amina',
      field_2: '#7 / "a"',
      field_3: 'Friday',
    });
    expect(sent.body).toEqual({
      success: true,
      message: 'The network accepted the message.',
      data: {
        message_id: expect.stringMatching(/^wamid\./),
        phone_number: to.phone_number,
        status: 'sent',
        id: expect.any(Number),
      },
    });
    const words =
      'Hello Amina, your order #7 / "a" has left our warehouse and should reach you on Friday.';
    const [message] = await onThePhone(app, shop);
    expect(message.rendered.body).toBe(words);
    expect(await storedContents(shop)).toEqual([
      {
        template: { name: 'order_update', language: 'en', category: 'UTILITY' },
        body: words,
        footer: 'Reply to this message for help',
      },
    ]);
  });

  test('has its header file, and a button URL that ends with field_1 or a field of its own', async () => {
    const shop = await shopWith();
    const offer = {
      ...to,
      template_name: 'spring_offer',
      template_language: 'en',
      field_1: 'Amina',
      field_2: 'SPRING15',
      header_media_url: ` ${fileUrl}\\spring.png\n`,
    };
    expect((await shop.call('POST', '/messages/template', offer)).status).toBe(200);
    expect(
      (await shop.call('POST', '/messages/template', { ...offer, field_3: 'amina-7' })).status,
    ).toBe(200);
    const [shared, own] = await onThePhone(app, shop);
    expect(shared.rendered.header.link).toBe(`${fileUrl}/spring.png`);
    expect(shared.rendered.buttons[0].url).toBe('https://shop.example.com/spring/Amina');
    expect(own.rendered.buttons[0].url).toBe('https://shop.example.com/spring/amina-7');
    expect((await storedContents(shop))[1]).toMatchObject({
      header: { format: 'IMAGE', media_url: `${fileUrl}/spring.png` },
      buttons: [
        { type: 'URL', text: 'See the collection', url: 'https://shop.example.com/spring/amina-7' },
        { type: 'QUICK_REPLY', text: 'Stop offers' },
      ],
    });
  });

  test('takes named placeholders in the order of their first appearance', async () => {
    const shop = await shopWith();
    const sent = await shop.call('POST', '/messages/template', {
      ...to,
      template_name: 'appointment_reminder',
      template_language: 'en',
      field_1: 'Friday',
      field_2: 'Amina',
      field_3: '10:30',
    });
    expect(sent.status).toBe(200);
    const [{ rendered }] = await onThePhone(app, shop);
    expect(rendered.header.text).toBe('See you on Friday');
    expect(rendered.body).toBe('Dear Amina, we look forward to your visit on Friday at 10:30.');
  });

  test('takes named placeholders in their order even if the network lists the template as positional', async () => {
    const shop = await shopWith({
      name: 'mislabelled',
      components: [{ type: 'BODY', text: 'Dear {{name}}, until {{day}}.' }],
    });
    const named = { ...to, template_name: 'mislabelled', template_language: 'en' };
    const half = await shop.call('POST', '/messages/template', { ...named, field_1: 'Amina' });
    expect(half.body.errors).toEqual({
      field_2: ['is required: it fills {{day}} of the body'],
    });
    await shop.call('POST', '/messages/template', {
      ...named,
      field_1: 'Amina',
      field_2: 'Friday',
    });
    const [{ rendered }] = await onThePhone(app, shop);
    expect(rendered.body).toBe('Dear Amina, until Friday.');
  });

  test('takes more than three fields, and a header of its own number', async () => {
    const shop = await shopWith({
      name: 'long_one',
      components: [
        { type: 'header', format: 'text', text: 'Order {{1}}' },
        { type: 'body', text: '{{2}} {{1}} {{4}} {{3}}' },
      ],
    });
    const five = { field_1: 'a', field_2: 'b', field_3: 'c', field_4: 'd' };
    const long = { ...to, template_name: 'long_one', template_language: 'en', ...five };
    await shop.call('POST', '/messages/template', { ...long, field_5: '#7' });
    await shop.call('POST', '/messages/template', long);
    const [own, shared] = await onThePhone(app, shop);
    expect(own.rendered).toMatchObject({ header: { text: 'Order #7' }, body: 'b a d c' });
    expect(shared.rendered).toMatchObject({ header: { text: 'Order a' }, body: 'b a d c' });

    const tooLong = { ...long, field_5: '#'.repeat(60) };
    const refused = await shop.call('POST', '/messages/template', tooLong);
    expect(refused.body.errors).toEqual({
      field_5: ['makes the header longer than 60 characters'],
    });
  });

  test('fills a coupon code, and leaves buttons without placeholders alone', async () => {
    const shop = await shopWith({
      name: 'coupon',
      components: [
        { type: 'BODY', text: 'Hi {{1}}' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'URL', text: 'Visit', url: 'https://shop.example.com/' },
            { type: 'COPY_CODE', text: 'Copy code' },
          ],
        },
      ],
    });
    const coupon = { ...to, template_name: 'coupon', template_language: 'en', field_1: 'Amina' };
    const without = await shop.call('POST', '/messages/template', coupon);
    expect(without.body.errors).toEqual({
      field_2: ['is required: it fills {{code}} of button 2'],
    });
    const sent = await shop.call('POST', '/messages/template', { ...coupon, field_2: 'SAVE15' });
    expect(sent.status).toBe(200);
    expect((await onThePhone(app, shop))[0].rendered.buttons).toMatchObject([
      { url: 'https://shop.example.com/' },
      { code: 'SAVE15' },
    ]);
  });
});

test('a button that opens a flow is named to the network, which refuses the template without it', async () => {
  const shop = await shopWith({
    name: 'book',
    components: [
      { type: 'BODY', text: 'Hi {{1}}' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Not now' },
          { type: 'FLOW', text: 'Book' },
        ],
      },
    ],
  });
  const message = { ...to, template_name: 'book', template_language: 'en', field_1: 'Amina' };
  expect((await shop.call('POST', '/messages/template', message)).status).toBe(200);
  const [{ payload, rendered }] = await onThePhone(app, shop);
  expect(payload.template.components).toContainEqual({
    type: 'button',
    sub_type: 'flow',
    index: '1',
  });
  expect(rendered.buttons).toMatchObject([{ text: 'Not now' }, { text: 'Book' }]);
});

test('two buttons of one template are filled from a field each, and an empty field counts as missing', async () => {
  const shop = await shopWith({
    name: 'two_ends',
    components: [
      { type: 'BODY', text: 'Choose' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'URL', text: 'One', url: 'https://one.example.com/{{1}}' },
          { type: 'URL', text: 'Other', url: 'https://other.example.com/{{1}}' },
        ],
      },
    ],
  });
  const sent = await shop.call('POST', '/messages/template', {
    ...to,
    ...{ template_name: 'two_ends', template_language: 'en' },
    ...{ field_1: 'x', field_2: 'y', field_3: '' },
  });
  expect(sent.status).toBe(200);
  const urls = ['https://one.example.com/x', 'https://other.example.com/y'];
  const urlsOf = (buttons: { url: string }[]) => buttons.map(({ url }) => url);
  expect(urlsOf((await onThePhone(app, shop))[0].rendered.buttons)).toEqual(urls);
  expect(urlsOf((await storedContents(shop))[0].buttons)).toEqual(urls);
});

const update = { ...to, template_name: 'order_update', template_language: 'en' };
const filled = { ...update, field_1: 'a', field_2: 'b', field_3: 'c' };
const login = { ...to, template_name: 'login_code', template_language: 'en_US' };

describe('null for an optional field counts as absent', () => {
  const nothing = { header_media_url: null, auto_generate_otp: null, contact: null };

  test('in every field of a template', async () => {
    const shop = await shopWith();
    const sent = await shop.call('POST', '/messages/template', {
      ...filled,
      ...nothing,
      field_4: null,
    });
    expect(sent.status).toBe(200);
    expect((await shop.call('GET', '/contacts')).body.data).toEqual([]);
  });

  test('even if the template needs a value', async () => {
    const shop = await shopWith();
    const sent = await shop.call('POST', '/messages/template', { ...filled, field_2: null });
    expect(sent.body.errors).toEqual({ field_2: ['is required: it fills {{2}} of the body'] });
  });

  test('in the contact, which still needs a first name', async () => {
    const shop = await shopWith();
    const send = (contact: object) =>
      shop.call('POST', '/messages/template', { ...filled, contact });
    const bare = { firstname: 'Ada', lastname: null, email: null };
    expect((await send(bare)).status).toBe(200);
    expect((await shop.call('GET', '/contacts')).body.data).toMatchObject([bare]);
    const nameless = await send({ firstname: null });
    expect(Object.keys(nameless.body.errors)).toEqual(['contact.firstname']);
  });
});

describe('422 before the network is called', () => {
  test.each<[string, object, Record<string, string[]>]>([
    [
      'everything is missing',
      {},
      {
        phone_number: ['is required'],
        template_name: ['is required'],
        template_language: ['is required'],
      },
    ],
    [
      'the name is unknown',
      { ...filled, template_name: 'no_such' },
      { template_name: ['is not a template of this account: "no_such"'] },
    ],
    [
      'the language is another',
      { ...filled, template_language: 'de' },
      {
        template_language: [
          'is not a language of this template, which exists in en (APPROVED), ur (APPROVED)',
        ],
      },
    ],
    [
      'it is not approved',
      { ...to, template_name: 'winter_sale', template_language: 'en', field_1: 'a', field_2: 'b' },
      {
        template_name: [
          'is not approved in this language, so it cannot be sent; the template has en (PENDING)',
        ],
      },
    ],
    [
      'values are missing or empty',
      { ...update, field_1: 'a', field_2: '' },
      {
        field_2: ['must not be empty: it fills {{2}} of the body'],
        field_3: ['is required: it fills {{3}} of the body'],
      },
    ],
    [
      'values have characters that are not allowed',
      { ...filled, field_1: 'two\nlines', field_2: '   ', field_3: 'a     b' },
      {
        field_1: ['must not contain line breaks, tabs or more than four spaces in a row'],
        field_2: ['must not be blank'],
        field_3: ['must not contain line breaks, tabs or more than four spaces in a row'],
      },
    ],
    ['a value is no text', { ...filled, field_1: 7 }, { field_1: ['must be a string or null'] }],
    [
      'a value has no placeholder',
      { ...filled, field_4: 'd' },
      { field_4: ['is not used by the template, which takes field_1 to field_3'] },
    ],
    [
      'values have numbers that no placeholder has',
      { ...filled, field_0: 'd', field_100: 'e' },
      {
        field_0: ['is not used by the template, which takes field_1 to field_3'],
        field_100: ['is not used by the template, which takes field_1 to field_3'],
      },
    ],
    [
      'a code comes with a value',
      { ...login, field_1: '123456', field_2: 'b' },
      { field_2: ['is not used by the template, which takes field_1 only'] },
    ],
    [
      'the text becomes too long',
      { ...filled, field_2: 'x'.repeat(1000) },
      { field_2: ['makes the body longer than 1,024 characters'] },
    ],
    [
      'the header needs a file',
      { ...to, template_name: 'invoice_ready', template_language: 'en', field_1: '#7' },
      { header_media_url: ['is required: the template has a header of type document'] },
    ],
    [
      'the header takes no file name',
      { ...filled, header_filename: 'a.pdf' },
      { header_filename: ['is not used by the template, which has no document in its header'] },
    ],
    [
      'the header takes no file',
      { ...filled, header_media_url: 'https://files.example.com/a.png' },
      { header_media_url: ['is not used by the template, which has no media header'] },
    ],
    [
      'a code is too long',
      { ...login, field_1: '1234567890123456' },
      { field_1: ['must have at most 15 characters in an authentication template'] },
    ],
    ['a code is missing', login, { field_1: ['is required: it fills {{1}} of the body'] }],
    [
      'there are two codes',
      { ...login, field_1: '123456', auto_generate_otp: true },
      { field_1: ['must be absent with auto_generate_otp: the service generates the code'] },
    ],
    [
      'a code is requested for a template without one',
      { ...filled, auto_generate_otp: true },
      {
        auto_generate_otp: [
          'works with authentication templates only; order_update is of category UTILITY',
        ],
      },
    ],
  ])('when %s', async (_, body, errors) => {
    const shop = await shopWith();
    const response = await shop.call('POST', '/messages/template', body);
    expect(response.body.errors).toEqual(errors);
    expect(response.status).toBe(422);
    expect(await onThePhone(app, shop)).toEqual([]);
    expect(await storedContents(shop)).toEqual([]);
  });

  test('if the type of the file is wrong for the header', async () => {
    const shop = await shopWith();
    const response = await shop.call('POST', '/messages/template', {
      ...to,
      template_name: 'invoice_ready',
      template_language: 'en',
      field_1: '#7',
      header_media_url: `${fileUrl}/a.png`,
    });
    expect(response.status).toBe(422);
    expect(response.body.errors.header_media_url[0]).toMatch(
      /^is of type image\/png; for type document the network takes application\/pdf/,
    );
  });

  test('when the network refuses the file of the header', async () => {
    const shop = await shopWith();
    await misbehave(app, shop, { failWith: 131053, failAs: 'answer', count: 1 });
    const response = await shop.call('POST', '/messages/template', {
      ...to,
      template_name: 'invoice_ready',
      template_language: 'en',
      field_1: '#7',
      header_media_url: `${fileUrl}/a.pdf`,
    });
    expect(response.status).toBe(422);
    expect(response.body.errors.header_media_url[0]).toMatch(/^could not be fetched .*131053\)$/);
  });

  test('if this API does not support a part of the template', async () => {
    const button = (type: string) => ({ type: 'BUTTONS', buttons: [{ type, text: 'See' }] });
    for (const [component, part] of [
      [{ type: 'CAROUSEL' }, 'a carousel'],
      [{ type: 'LIMITED_TIME_OFFER' }, 'a limited time offer'],
      [button('MPM'), 'a product list button'],
      [button('ORDER_DETAILS'), 'an order details button'],
      [button('BOOKING_CONFIRMATION'), 'a booking confirmation button'],
      [button('REMINDER'), 'a reminder button'],
    ] as const) {
      const shop = await shopWith({
        name: 'more',
        components: [{ type: 'BODY', text: 'Look' }, component],
      });
      const response = await shop.call('POST', '/messages/template', {
        ...to,
        template_name: 'more',
        template_language: 'en',
      });
      expect(response.body.errors).toEqual({
        template_name: [`has ${part}, which this API cannot fill`],
      });
    }
  });
});

describe('422 reports all faults together', () => {
  const notAPhone = [expect.stringMatching(/^must be a phone number/)];
  const wrongFile = [expect.stringMatching(/^is of type image\/png; for type document/)];
  const unknownName = ['is not a template of this account: "no_such"'];
  const invoice = { ...to, template_name: 'invoice_ready', template_language: 'en' };

  test.each<[string, object, Record<string, unknown>]>([
    [
      'the phone and the name of the template',
      { ...filled, phone_number: '1', template_name: 'no_such' },
      { phone_number: notAPhone, template_name: unknownName },
    ],
    [
      'the phone, the fields and the file of the header',
      { ...invoice, phone_number: '1', header_media_url: '/a.png', field_2: 'b' },
      {
        phone_number: notAPhone,
        field_1: ['is required: it fills {{1}} of the body'],
        field_2: ['is not used by the template, which takes field_1 only'],
        header_media_url: wrongFile,
      },
    ],
    [
      'the fields and the file of the header',
      { ...invoice, header_media_url: '/a.png', field_1: 'two\nlines' },
      {
        field_1: ['must not contain line breaks, tabs or more than four spaces in a row'],
        header_media_url: wrongFile,
      },
    ],
    [
      'the name of the template and values that no template takes',
      {
        ...to,
        template_name: 'no_such',
        template_language: 'en',
        field_0: 'a',
        field_1: ' ',
        field_7: 'b',
      },
      {
        template_name: unknownName,
        field_0: ['is not used by any template: fields count from field_1'],
        field_1: ['must not be blank'],
      },
    ],
    [
      'the language and the faults in each language of the template',
      { ...update, template_language: 'de', field_1: 'a', field_2: 'b', field_4: 'd' },
      {
        template_language: [expect.stringMatching(/^is not a language of this template/)],
        field_3: ['is required: it fills {{3}} of the body'],
        field_4: ['is not used by the template, which takes field_1 to field_3'],
      },
    ],
    [
      'the state and the fields of the template',
      { ...to, template_name: 'winter_sale', template_language: 'en', field_1: 'a', field_9: 'b' },
      {
        template_name: [expect.stringMatching(/^is not approved/)],
        field_2: [expect.stringMatching(/^is required/)],
        field_9: [expect.stringMatching(/^is not used/)],
      },
    ],
    [
      'a language that is missing and the name of the template',
      { ...to, template_name: 'no_such' },
      { template_language: ['is required'], template_name: unknownName },
    ],
    [
      'a value of the wrong type once, and the others',
      { ...filled, field_1: 7, field_4: 'd' },
      {
        field_1: ['must be a string or null'],
        field_4: ['is not used by the template, which takes field_1 to field_3'],
      },
    ],
    [
      'a name that cannot be stored, and the values',
      { ...filled, template_name: 'a\0', field_2: ' ' },
      {
        template_name: ['must not have the character NUL (U+0000)'],
        field_2: ['must not be blank'],
      },
    ],
    [
      'a code that is not for this template, and the fields',
      { ...update, auto_generate_otp: true, field_2: 'b', field_3: 'c' },
      {
        field_1: ['is required: it fills {{1}} of the body'],
        auto_generate_otp: [expect.stringMatching(/^works with authentication templates only/)],
      },
    ],
    [
      'a text that becomes too long and a file without a header',
      { ...filled, field_2: 'x'.repeat(1_000), header_media_url: '/a.png' },
      {
        field_2: ['makes the body longer than 1,024 characters'],
        header_media_url: ['is not used by the template, which has no media header'],
      },
    ],
  ])('%s', async (_, body: { header_media_url?: string }, errors) => {
    const shop = await shopWith();
    const { header_media_url: path } = body;
    const response = await shop.call(
      'POST',
      '/messages/template',
      { ...body, ...(path && { header_media_url: `${fileUrl}${path}` }) },
      { 'idempotency-key': 'order-1' },
    );
    expect(response.body.errors).toEqual(errors);
    expect(response.status).toBe(422);
    expect(await storedContents(shop)).toEqual([]);
    // The key can be used again for the corrected request.
    const again = await shop.call('POST', '/messages/template', filled, {
      'idempotency-key': 'order-1',
    });
    expect(again.status).toBe(200);
  });
});

describe('a one-time password', () => {
  test('is generated, sent in body and button, and returned', async () => {
    const shop = await shopWith();
    const sent = await shop.call('POST', '/messages/template', {
      ...login,
      auto_generate_otp: true,
    });
    expect(sent.status).toBe(200);
    expect(sent.body.data).toEqual({
      message_id: expect.stringMatching(/^wamid\./),
      phone_number: to.phone_number,
      status: 'sent',
      id: expect.any(Number),
      otp: expect.stringMatching(/^\d{6}$/),
    });
    const [{ rendered }] = await onThePhone(app, shop);
    expect(rendered.body).toContain(`*${sent.body.data.otp}*`);
    expect(rendered.buttons[0].code).toBe(sent.body.data.otp);
  });

  test('of the caller is sent unchanged, and not returned', async () => {
    const shop = await shopWith();
    const sent = await shop.call('POST', '/messages/template', {
      ...login,
      field_1: '000123',
      auto_generate_otp: false,
    });
    expect(sent.status).toBe(200);
    expect(sent.body.data.otp).toBeUndefined();
    const [{ rendered }] = await onThePhone(app, shop);
    expect(rendered.buttons[0].code).toBe('000123');
  });

  test('fills a button of type OTP, and is masked in the stored message', async () => {
    const shop = await shopWith({
      name: 'short_code',
      category: 'AUTHENTICATION',
      components: [
        { type: 'BODY', text: '*{{1}}* is your code.' },
        { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy' }] },
      ],
    });
    const sent = await shop.call('POST', '/messages/template', {
      ...login,
      template_name: 'short_code',
      template_language: 'en',
      auto_generate_otp: true,
    });
    expect(sent.status).toBe(200);
    expect((await storedContents(shop))[0].body).toBe('*••••••* is your code.');
    await shop.call('POST', '/messages/template', { ...login, auto_generate_otp: true });
    for (const { buttons } of await storedContents(shop)) {
      expect(buttons).toEqual([{ type: expect.any(String), text: expect.any(String) }]);
    }
  });

  test('needs no button', async () => {
    const shop = await shopWith({
      name: 'bare_code',
      category: 'AUTHENTICATION',
      components: [{ type: 'BODY', text: '*{{1}}* is your code.' }],
    });
    const sent = await shop.call('POST', '/messages/template', {
      ...login,
      ...{ template_name: 'bare_code', template_language: 'en', field_1: '000123' },
    });
    expect(sent.status).toBe(200);
    expect((await onThePhone(app, shop))[0].rendered.body).toBe('*000123* is your code.');
  });
});

describe('a contact inside a template message', () => {
  const contact = { firstname: 'Amina', lastname: 'Khan', email: 'amina@example.com' };

  async function wantEvents(shop: TestTenant) {
    await app.db.pool.query(
      `insert into webhooks (tenant_id, url, events, secret)
       values ($1, 'https://shop.test/hook', '{contact.created,contact.updated}', '\\x00')`,
      [shop.id],
    );
    return async () => {
      const { rows } = await app.db.pool.query(
        'select event, body from deliveries where tenant_id = $1 order by id',
        [shop.id],
      );
      return rows.map(({ event, body }) => [event, JSON.parse(body).data.phone]);
    };
  }

  const contactsOf = async (shop: TestTenant) => (await shop.call('GET', '/contacts')).body.data;

  test('is created with the accepted message, and sends an event', async () => {
    const shop = await shopWith();
    await misbehave(app, shop, { callbacks: false });
    const events = await wantEvents(shop);
    const sent = await shop.call('POST', '/messages/template', {
      ...login,
      auto_generate_otp: true,
      contact,
    });
    expect(sent.body.data.otp).toMatch(/^\d{6}$/);
    expect(await contactsOf(shop)).toMatchObject([
      { ...contact, phone: to.phone_number, company: null, group_ids: [] },
    ]);
    expect(await events()).toEqual([['contact.created', to.phone_number]]);
  });

  test('is created once, however many messages are sent at the same time', async () => {
    const shop = await shopWith();
    // A status would add the user id to the contact.
    await misbehave(app, shop, { callbacks: false });
    const events = await wantEvents(shop);
    const sends = Array.from({ length: 20 }, (_, index) =>
      shop.call('POST', '/messages/template', {
        ...login,
        field_1: String(100_000 + index),
        contact: { firstname: `Amina ${index}` },
      }),
    );
    expect((await Promise.all(sends)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await contactsOf(shop)).toHaveLength(1);
    expect(await events()).toHaveLength(1);
  });

  test('does not change the contact of a known phone', async () => {
    const shop = await shopWith();
    await misbehave(app, shop, { callbacks: false });
    await shop.call('POST', '/contacts', { firstname: 'Old', phone: to.phone_number });
    const events = await wantEvents(shop);
    const sent = await shop.call('POST', '/messages/template', { ...login, field_1: '1', contact });
    expect(sent.status).toBe(200);
    expect(await contactsOf(shop)).toMatchObject([{ firstname: 'Old', lastname: null }]);
    expect(await events()).toEqual([]);
  });

  test('is not created if the network refuses the message or its response is lost', async () => {
    for (const behaviour of [{ failWith: 131026, failAs: 'answer' }, { answer: 'garbage' }]) {
      const shop = await shopWith();
      await misbehave(app, shop, behaviour);
      const sent = await shop.call('POST', '/messages/template', {
        ...login,
        field_1: '1',
        contact,
      });
      expect(sent.status).toBeGreaterThanOrEqual(422);
      expect(await contactsOf(shop)).toEqual([]);
    }
  });

  test('is created when a retry after a lost response reports that the message was sent', async () => {
    const shop = await shopWith();
    const events = await wantEvents(shop);
    // A status after the first would add the user id to the new contact.
    await misbehave(app, shop, { answer: 'drop-after-accept', count: 1, skipDelivered: true });
    const send = () =>
      shop.call(
        'POST',
        '/messages/template',
        { ...login, auto_generate_otp: true, contact },
        { 'idempotency-key': 'login-7' },
      );
    expect((await send()).status).toBe(500);
    await eventually(async () => {
      const { rows } = await app.db.pool.query(
        'select from stored_messages where tenant_id = $1 and network_id is not null',
        [shop.id],
      );
      return rows.length > 0;
    });
    const retried = await send();
    expect(retried.headers['idempotency-replayed']).toBe('true');
    expect(await contactsOf(shop)).toMatchObject([{ ...contact, phone: to.phone_number }]);
    await send();
    expect(await events()).toEqual([['contact.created', to.phone_number]]);
  });

  test('is checked like any contact', async () => {
    const shop = await shopWith();
    const sent = await shop.call('POST', '/messages/template', {
      ...login,
      field_1: '1',
      contact: { lastname: 'a\nb', email: 'nobody' },
    });
    expect(sent.status).toBe(422);
    expect(sent.body.errors).toEqual({
      'contact.firstname': ['is required'],
      'contact.lastname': ['must be on one line; it has a line break at character 2'],
      'contact.email': ['must be an email address'],
    });
  });
});
