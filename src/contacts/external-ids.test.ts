import { beforeAll, describe, expect, test } from 'vitest';
import { type TestTenant, testApp } from '../../test/program/app.ts';

const app = testApp();

let shop: TestTenant;
let phones = 0;
const newPhone = () => `+1415555${3000 + ++phones}`;

beforeAll(async () => {
  shop = await app.tenant({ number: false });
});

async function create(fields: object = {}) {
  const contact = { firstname: 'Ann', phone: newPhone(), ...fields };
  const { status, body } = await shop.call('POST', '/contacts', contact);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

const isTaken = ['already belongs to another contact'];

describe('a contact with a taken phone or external id', () => {
  test('is refused with the id of the contact that has it', async () => {
    const known = await create({ external_id: ' crm-1 ' });
    expect(known.external_id).toBe('crm-1');
    const other = await create();
    const { phone } = known;
    const status_id = 999_999;
    for (const [method, path, body, errors] of [
      ['POST', '/contacts', { firstname: 'Bob', phone }, { phone: isTaken }],
      [
        'POST',
        '/contacts',
        { firstname: 'Bob', phone: newPhone(), external_id: 'crm-1' },
        { external_id: isTaken },
      ],
      [
        'POST',
        '/contacts',
        { firstname: 'Bob', phone, external_id: 'crm-1' },
        { phone: isTaken, external_id: isTaken },
      ],
      [
        'POST',
        '/contacts',
        { firstname: 'Bob', phone, status_id },
        { status_id: expect.anything(), phone: isTaken },
      ],
      ['PUT', `/contacts/${other.id}`, { phone }, { phone: isTaken }],
      ['PUT', `/contacts/${other.id}`, { external_id: 'crm-1' }, { external_id: isTaken }],
      ['PUT', '/contacts/999999', { external_id: 'crm-1' }, { external_id: isTaken }],
      [
        'PUT',
        `/contacts?phone=${encodeURIComponent(newPhone())}`,
        { firstname: 'Bob', external_id: 'crm-1' },
        { external_id: isTaken },
      ],
      [
        'PUT',
        `/contacts?phone=${encodeURIComponent(other.phone)}`,
        { external_id: 'crm-1' },
        { external_id: isTaken },
      ],
    ] as const) {
      for (const key of method === 'POST' ? [undefined, crypto.randomUUID()] : [undefined]) {
        const headers = key ? { 'idempotency-key': key } : undefined;
        const refused = await shop.call(method, path, body, headers);
        expect([refused.status, refused.body.errors, refused.body.data]).toEqual([
          422,
          errors,
          { id: known.id },
        ]);
      }
    }
    expect(
      (await shop.call('PUT', `/contacts/${known.id}`, { external_id: 'crm-1', phone })).status,
    ).toBe(200);
    const elsewhere = await app.tenant({ number: false });
    const theirs = await elsewhere.call('POST', '/contacts', {
      firstname: 'Eve',
      phone,
      external_id: 'crm-1',
    });
    expect(theirs.status).toBe(200);
  });

  test('of one external id, one of many is created', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, () =>
        shop.call('POST', '/contacts', {
          firstname: 'Ann',
          phone: newPhone(),
          external_id: 'race',
        }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)]);
  });

  test('an external id is cleared by null and by an empty text, any number of times', async () => {
    const [one, two] = [await create({ external_id: 'x' }), await create({ external_id: '' })];
    expect(two.external_id).toBeNull();
    const { body } = await shop.call('PUT', `/contacts/${one.id}`, { external_id: null });
    expect(body.data.external_id).toBeNull();
    expect((await shop.call('PUT', `/contacts/${two.id}`, { external_id: 'x' })).status).toBe(200);
  });
});

describe('metadata', () => {
  test('is kept, replaced as a whole, cleared by null, and left alone otherwise', async () => {
    const metadata = { plan: 'gold', 'größe-1': '', constructor: 'x', note: 'two\nlines 🎉' };
    const contact = await create({ metadata });
    expect(contact.metadata).toEqual(metadata);
    const put = async (body: object) =>
      (await shop.call('PUT', `/contacts/${contact.id}`, body)).body.data;
    expect((await put({ city: 'Bath' })).metadata).toEqual(metadata);
    const same = await put({ metadata: Object.fromEntries(Object.entries(metadata).reverse()) });
    expect((await put({ metadata })).updated_at).toBe(same.updated_at);
    expect((await put({ metadata: { plan: 'silver' } })).metadata).toEqual({ plan: 'silver' });
    expect((await put({ metadata: null })).metadata).toEqual({});
    // PHP writes an empty object so.
    expect((await put({ metadata: [] })).metadata).toEqual({});
    expect((await create({ metadata: [] })).metadata).toEqual({});
    expect((await create()).metadata).toEqual({});
  });

  const entries = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

  test('has bounds, each with its message', async () => {
    expect(Object.keys((await create({ metadata: entries(50) })).metadata)).toHaveLength(50);
    expect(
      (await create({ metadata: { ['x'.repeat(40)]: 'v'.repeat(500) } })).metadata,
    ).toBeTruthy();
    const shape = 'must be an object of at most 50 strings';
    const names = 'must have names of 1 to 40 letters, digits, _ and -';
    const reserved = expect.stringMatching(
      /^must not have the name of a field of the contact: firstname/,
    );
    for (const [metadata, errors] of [
      [entries(51), { metadata: [shape] }],
      [['a'], { metadata: ['must be an object or null'] }],
      [{ a: { b: 'nested' } }, { 'metadata.a': ['must be a string'] }],
      [
        { a: ['list'], b: null, c: 5 },
        {
          'metadata.a': ['must be a string'],
          'metadata.b': ['must be a string'],
          'metadata.c': ['must be a string'],
        },
      ],
      [{ a: 'x'.repeat(501) }, { 'metadata.a': ['must have at most 500 characters; it has 501'] }],
      [{ a: 'nul\0' }, { metadata: [expect.any(String)] }],
      [{ firstname: 'Eve' }, { metadata: [reserved] }],
      [{ group_ids: 'x', id: '1' }, { metadata: [reserved] }],
      [{ '': 'x' }, { metadata: [names] }],
      [{ 'two words': 'x' }, { metadata: [names] }],
      [{ ['x'.repeat(41)]: 'x' }, { metadata: [names] }],
      [['a'], { metadata: [expect.stringMatching(/^must be an object/)] }],
      ['text', { metadata: [expect.stringMatching(/^must be an object/)] }],
    ] as const) {
      const body = { firstname: 'Ann', phone: newPhone(), metadata };
      const refused = await shop.call('POST', '/contacts', body);
      expect([refused.status, refused.body.errors]).toEqual([422, errors]);
    }
    const proto = '{"firstname":"Ann","phone":"+14155550100","metadata":{"__proto__":"x"}}';
    expect(
      (await shop.call('POST', '/contacts', proto, { 'content-type': 'application/json' })).status,
    ).toBe(400);
  });
});

describe('PUT /contacts?phone=', () => {
  test('creates the contact of an unknown phone and changes a known one', async () => {
    const group = (await shop.call('POST', '/groups', { name: 'VIP' })).body.data.id;
    const put = async (phone: string, body: object) =>
      (await shop.call('PUT', `/contacts?phone=${phone}`, body)).body;
    const fields = { lastname: 'Lee', group_ids: [group, group], metadata: { plan: 'gold' } };
    const created = await put('%2B5511987654000', { firstname: 'Ann', ...fields });
    expect(created.message).toBe('The contact was created.');
    expect(created.data).toMatchObject({ ...fields, phone: '+5511987654000', group_ids: [group] });
    // The other form of the same phone, and a plus that is not encoded.
    const changed = await put('+551187654000', { city: 'Recife', phone: '+551187654000' });
    expect(changed).toMatchObject({
      message: 'The contact was updated.',
      data: { ...created.data, city: 'Recife', updated_at: expect.anything() },
    });
    const [first, second] = await Promise.all(
      ['Ann', 'Bob'].map((firstname) => put('%2B14155557777', { firstname })),
    );
    expect(first.data.id).toBe(second.data.id);
  });

  test('reports what is missing or wrong, and needs both abilities', async () => {
    const phone = encodeURIComponent(newPhone());
    const other = [
      'must be absent or the phone in the address; PUT /contacts/{id} changes a phone',
    ];
    for (const [query, body, errors] of [
      ['', { firstname: 'Ann' }, { phone: ['is required'] }],
      ['?phone=', { firstname: 'Ann' }, { phone: [expect.any(String)] }],
      ['?phone=12', { firstname: 'Ann' }, { phone: [expect.any(String)] }],
      [`?phone=${phone}`, { city: 'Bath' }, { firstname: ['is required'] }],
      [`?phone=${phone}`, { firstname: 'Ann', phone: '+14155550000' }, { phone: other }],
      [
        `?phone=${phone}`,
        { firstname: '', status_id: 999_999 },
        { firstname: ['must not be empty'], status_id: ['must be the id of an existing status'] },
      ],
      [
        `?phone=${phone}&page=1`,
        { firstname: 'Ann' },
        { page: [expect.stringMatching(/^is not a parameter/)] },
      ],
    ] as const) {
      const refused = await shop.call('PUT', `/contacts${query}`, body);
      expect([refused.status, refused.body.errors], query).toEqual([422, errors]);
    }
    for (const ability of ['contacts:create', 'contacts:update'] as const) {
      const limited = await app.tenant({ number: false, abilities: [ability] });
      const { status, body } = await limited.call('PUT', `/contacts?phone=${phone}`, {
        firstname: 'A',
      });
      const missing = ability === 'contacts:create' ? 'contacts:update' : 'contacts:create';
      expect([status, body.message]).toEqual([403, `This token lacks the ability ${missing}.`]);
    }
    const headers = { authorization: 'Bearer none' };
    expect((await shop.call('PUT', `/contacts?phone=${phone}`, {}, headers)).status).toBe(401);
  });
});
