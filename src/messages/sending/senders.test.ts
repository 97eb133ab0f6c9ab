import { describe, expect, onTestFinished, test } from 'vitest';
import { countRoundTrips } from '../../../test/database/round-trips.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { connectTestNumber, control } from '../../../test/servers/control.ts';
import { writeTo } from '../../../test/servers/phone.ts';
import { disconnectNumber } from '../../numbers/connecting/disconnect-number.ts';
import { chooseDefaultNumber } from '../../numbers/default-number.ts';
import { type NumberRow, setMarketingEndpoint } from '../../numbers/queries.ts';
import { cacheTtlMs } from '../../platform/concurrency/ttl-cache.ts';
import { syncTemplates } from '../../templates/syncing/sync-templates.ts';

const app = testApp();
const phone = '+14155550123';
const text = { phone_number: phone, type: 'text', message: 'Hello' };
const template = {
  phone_number: phone,
  template_name: 'hello_world',
  template_language: 'en_US',
};

/** Creates a tenant with a second number, in the account of the first or in another one. */
async function shopWithTwo({ accounts = 1 } = {}): Promise<TestTenant & { second: NumberRow }> {
  const shop = await app.tenant();
  const { business_account_id } = shop.number;
  const second = await connectTestNumber(
    app,
    shop.id,
    accounts === 1 ? { business_account_id } : {},
  );
  await syncTemplates(app.services, shop.id);
  return { ...shop, second };
}

/** Sends, and returns the number that the network saw, or the response if it is an error. */
async function senderOf(shop: TestTenant, path: string, body: object) {
  const { status, body: response } = await shop.call('POST', path, body);
  if (status !== 200) return response;
  const id = encodeURIComponent(response.data.message_id);
  return (await control(app, 'GET', `/simulator/messages/${id}`)).phone_number_id;
}

const e164 = ({ display_phone_number }: NumberRow) => display_phone_number!.replaceAll(' ', '');
/** Another process may have changed the numbers less than a second ago. */
const forgetNumbers = () => new Promise((resolve) => setTimeout(resolve, cacheTtlMs));

describe('from', () => {
  test('names the number that sends, by its phone or by the network’s id', async () => {
    const shop = await shopWithTwo();
    const { number, second } = shop;
    const names = [second.phone_number_id, e164(second)];
    for (const from of names) {
      expect(await senderOf(shop, '/messages/send', { ...text, from })).toBe(
        second.phone_number_id,
      );
      expect(await senderOf(shop, '/messages/template', { ...template, from })).toBe(
        second.phone_number_id,
      );
      expect(await senderOf(shop, '/messages/send', { ...text, from: e164(number) })).toBe(
        number.phone_number_id,
      );
    }
  });

  test.each([null, ''])('counts as absent if it is %j', async (from) => {
    const shop = await app.tenant();
    expect(await senderOf(shop, '/messages/send', { ...text, from })).toBe(
      shop.number.phone_number_id,
    );
  });

  test('is refused in every kind of send if it is unknown, of another tenant or disconnected', async () => {
    const [shop, other] = [await shopWithTwo(), await app.tenant()];
    await disconnectNumber(app.db, shop.id, shop.second.phone_number_id);
    const known = `${e164(shop.number)} (${shop.number.phone_number_id})`;
    const media = { phone_number: phone, type: 'image', media_url: 'http://127.0.0.1:1/a.png' };
    const wrong = ['123', '+15550100200', other.number.phone_number_id, e164(other.number)];
    for (const from of [...wrong, shop.second.phone_number_id, e164(shop.second)]) {
      const fault = [`is not a connected number of this tenant: "${from}"; use ${known}`];
      for (const [path, body] of [
        ['/messages/send', text],
        ['/messages/media', media],
        ['/messages/template', template],
      ] as const) {
        const response = await shop.call('POST', path, { ...body, from });
        expect([path, response.status, response.body.errors.from]).toEqual([path, 422, fault]);
      }
    }
    expect(
      await control(
        app,
        'GET',
        `/simulator/messages?phone_number_id=${other.number.phone_number_id}`,
      ),
    ).toMatchObject({ total: 0 });
  });

  test('is reported with the faults of other fields', async () => {
    const shop = await app.tenant();
    const from = ['is not a connected number of this tenant: "123"; use '];
    const faults = async (path: string, body: object) =>
      (await shop.call('POST', path, { ...body, from: '123' })).body.errors;
    const expected = [expect.stringContaining(from[0]!)];
    expect(await faults('/messages/send', { ...text, phone_number: 'x' })).toEqual({
      phone_number: [expect.any(String)],
      from: expected,
    });
    expect(await faults('/messages/media', { phone_number: 'x', type: 'image' })).toMatchObject({
      phone_number: [expect.any(String)],
      from: expected,
    });
    expect(
      await faults('/messages/template', { ...template, phone_number: 'x', template_name: 'none' }),
    ).toEqual({
      phone_number: [expect.any(String)],
      template_name: ['is not a template of this account: "none"'],
      from: expected,
    });
  });

  test('is part of what an Idempotency-Key stands for', async () => {
    const shop = await shopWithTwo();
    const key = { 'idempotency-key': 'one' };
    const from = shop.second.phone_number_id;
    const first = await shop.call('POST', '/messages/send', { ...text, from }, key);
    const again = await shop.call('POST', '/messages/send', { ...text, from }, key);
    expect(again.body.data).toEqual(first.body.data);
    const other = { ...text, from: shop.number.phone_number_id };
    expect((await shop.call('POST', '/messages/send', other, key)).status).toBe(422);
    expect((await shop.call('POST', '/messages/send', text, key)).status).toBe(422);
  });
});

describe('without from', () => {
  test('the number of the latest message with the person sends, whoever wrote it', async () => {
    const shop = await shopWithTwo();
    const { number, second } = shop;
    const send = () => senderOf(shop, '/messages/send', text);
    expect(await send()).toBe(number.phone_number_id);
    await writeTo(app, second, phone, 'Hello');
    expect(await send()).toBe(second.phone_number_id);
    expect(await senderOf(shop, '/messages/template', template)).toBe(second.phone_number_id);
    await senderOf(shop, '/messages/send', { ...text, from: number.phone_number_id });
    expect(await send()).toBe(number.phone_number_id);
    const stranger = { ...text, phone_number: '+14155550199' };
    expect(await senderOf(shop, '/messages/send', stranger)).toBe(number.phone_number_id);
  });

  test('the default number sends if there are no messages, or that number is disconnected', async () => {
    const shop = await shopWithTwo();
    const { number, second } = shop;
    await chooseDefaultNumber(app.db, shop.id, second.phone_number_id);
    const send = () => senderOf(shop, '/messages/send', text);
    expect(await send()).toBe(second.phone_number_id);
    await writeTo(app, number, phone, 'Hello');
    expect(await send()).toBe(number.phone_number_id);
    await disconnectNumber(app.db, shop.id, number.phone_number_id);
    await forgetNumbers();
    expect(await send()).toBe(second.phone_number_id);
  });

  test('sends at the same time each have their own number', async () => {
    const shop = await shopWithTwo();
    const phones = Array.from({ length: 20 }, (_, index) => `+1415555${1000 + index}`);
    const wrote = phones.filter((_, index) => index % 2 === 0);
    for (const each of wrote) await writeTo(app, shop.second, each, 'Hello');
    const senders = await Promise.all(
      phones.map((phone_number) => senderOf(shop, '/messages/send', { ...text, phone_number })),
    );
    const expected = phones.map((each) => (wrote.includes(each) ? shop.second : shop.number));
    expect(senders).toEqual(expected.map(({ phone_number_id }) => phone_number_id));
  });

  test('the choice costs no round trip', async () => {
    const [one, two] = [await app.tenant(), await shopWithTwo()];
    await writeTo(app, two.second, phone, 'Hello');
    await syncTemplates(app.services, one.id);
    await control(app, 'POST', '/simulator/behaviour', { callbacks: false });
    onTestFinished(() => control(app, 'DELETE', '/simulator/behaviour'));
    for (const [path, body] of [
      ['/messages/send', text],
      ['/messages/template', template],
    ] as const) {
      const trips = [];
      for (const shop of [one, two]) {
        // The first one also reads what is then cached for a second, and others meet reports of earlier messages.
        let least = Number.POSITIVE_INFINITY;
        for (let sends = 0; sends < 25 && least > 2; sends++) {
          const count = await countRoundTrips(app, () => shop.call('POST', path, body));
          least = Math.min(least, count);
        }
        trips.push(least);
      }
      expect([path, ...trips]).toEqual([path, 2, 2]);
    }
  });
});

describe('a template', () => {
  test('of another account is refused with the numbers whose account has it', async () => {
    const shop = await shopWithTwo({ accounts: 2 });
    const { number, second } = shop;
    await control(app, 'POST', '/simulator/templates', {
      business_account_id: second.business_account_id,
      name: 'only_there',
      language: 'en',
      components: [{ type: 'BODY', text: 'Hello' }],
    });
    await syncTemplates(app.services, shop.id);
    const only = { ...template, template_name: 'only_there', template_language: 'en' };
    const refused = await shop.call('POST', '/messages/template', only);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      {
        template_name: [
          `is not a template of this account: "only_there"; it is approved in the account of ${second.display_phone_number}, not in that of ${number.display_phone_number}, which would send it`,
        ],
      },
    ]);
    const from = second.phone_number_id;
    expect(await senderOf(shop, '/messages/template', { ...only, from })).toBe(from);
    await writeTo(app, second, '+14155550177', 'Hello');
    const answer = { ...only, phone_number: '+14155550177' };
    expect(await senderOf(shop, '/messages/template', answer)).toBe(from);
  });

  test('has the text of the sending number’s account', async () => {
    const shop = await shopWithTwo({ accounts: 2 });
    for (const [{ business_account_id }, body] of [
      [shop.number, 'First'],
      [shop.second, 'Second'],
    ] as const) {
      await control(app, 'POST', '/simulator/templates', {
        business_account_id,
        name: 'both',
        language: 'en',
        components: [{ type: 'BODY', text: body }],
      });
    }
    await syncTemplates(app.services, shop.id);
    await writeTo(app, shop.second, phone, 'Hello');
    const both = { ...template, template_name: 'both', template_language: 'en' };
    const { body } = await shop.call('POST', '/messages/template', both);
    const { rows } = await app.db.pool.query(
      'select number_id, content from stored_messages where tenant_id = $1 and id = $2',
      [shop.id, body.data.id],
    );
    expect(rows).toMatchObject([{ number_id: shop.second.id, content: { body: 'Second' } }]);
  });
});

describe('the marketing endpoint of a number', () => {
  const offer = { ...template, template_name: 'offer', template_language: 'en' };

  /** Creates a tenant with a template of a category. */
  async function shopWith(category: string) {
    const shop = await app.tenant();
    await setCategory(shop, category);
    return shop;
  }

  async function setCategory(
    { id, number: { business_account_id } }: TestTenant,
    category: string,
  ) {
    await control(app, 'POST', '/simulator/templates', {
      business_account_id,
      name: 'offer',
      language: 'en',
      category,
      components: [{ type: 'BODY', text: 'Half price' }],
    });
    await syncTemplates(app.services, id);
  }

  const switchOn = ({ id, number }: TestTenant) =>
    setMarketingEndpoint(app.db, id, number.id, true);

  /** Sends, and returns the category that the network charges. */
  async function categoryOf(shop: TestTenant, body: object) {
    const response = await shop.call('POST', '/messages/template', body);
    expect(response.status).toBe(200);
    const id = encodeURIComponent(response.body.data.message_id);
    return (await control(app, 'GET', `/simulator/messages/${id}`)).category;
  }

  test('is used for marketing templates where it is switched on, by their latest category', async () => {
    const shop = await shopWith('MARKETING');
    expect(await categoryOf(shop, offer)).toBe('MARKETING');
    await switchOn(shop);
    await forgetNumbers();
    expect(await categoryOf(shop, offer)).toBe('MARKETING_LITE');
    expect(await categoryOf(shop, template)).toBe('UTILITY');
    expect((await shop.call('POST', '/messages/send', text)).status).toBe(200);
    await setCategory(shop, 'UTILITY');
    await forgetNumbers();
    expect(await categoryOf(shop, offer)).toBe('UTILITY');
  });

  test.each([
    [
      134100,
      { template_name: [expect.stringMatching(/^is not a marketing template at the network/)] },
      422,
    ],
    [
      134102,
      { template_name: [expect.stringMatching(/^cannot be sent through the marketing endpoint/)] },
      422,
    ],
    [
      131063,
      {
        template_name: [expect.stringMatching(/^may only be sent through the marketing endpoint/)],
      },
      422,
    ],
    [132018, {}, 422],
    [134101, {}, 500],
  ])('refuses with code %i, which is explained', async (failWith, errors, status) => {
    const shop = await shopWith('MARKETING');
    await switchOn(shop);
    const { phone_number_id } = shop.number;
    const failAs = 'answer';
    await control(app, 'POST', '/simulator/behaviour', { phone_number_id, failWith, failAs });
    const response = await shop.call('POST', '/messages/template', offer);
    expect([response.status, response.body.errors]).toEqual([status, errors]);
    expect(response.body.message).toContain(`(network code ${failWith})`);
    if (status === 500) expect(response.headers['retry-after']).toBe('600');
  });
});
