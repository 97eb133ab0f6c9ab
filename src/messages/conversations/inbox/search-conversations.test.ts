import sql, { type Sql } from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { insertContacts } from '../../../../test/features/insert-contacts.ts';
import { signIn, type TestMember } from '../../../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../../../test/program/app.ts';
import { phonesByText } from '../../../contacts/searching/find-phones.ts';
import { indexSearchTexts } from '../../../contacts/searching/index-search-texts.ts';
import { conversationsOf, personsByPrefix } from './search-queries.ts';

const app = testApp();

const add = (shop: TestTenant, firstname: string, phone: string, more: object = {}) =>
  shop.call('POST', '/contacts', { firstname, phone, ...more });

async function write(shop: TestTenant, phone: string): Promise<number> {
  const { rows } = await app.db.query<{ id: number }>(sql`
    insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status)
    values (${shop.id}, ${shop.number.id}, 'in', ${phone}, 'text', '{"text": "Hello"}', 'received')
    returning id`);
  return rows[0]!.id;
}

async function found(member: TestMember, search: string): Promise<string[]> {
  const response = await member.call('GET', `/conversations?search=${encodeURIComponent(search)}`);
  expect([search, response.status]).toEqual([search, 200]);
  expect(response.body.data.more).toBe(false);
  return response.body.data.conversations.map(
    ({ name, phone }: { name: string | null; phone: string }) => name ?? phone,
  );
}

describe.each([
  ['new', false],
  ['indexed', true],
])('a search of conversations among %s contacts', (_, indexed) => {
  test('finds a part of a name, phone or email, latest first, and nothing of other tenants', async () => {
    const [shop, other] = [await app.tenant(), await app.tenant()];
    for (const tenant of [shop, other]) {
      await add(tenant, 'Ann', '+14155550101', { lastname: 'Lee', email: 'lee@shop.example' });
      await add(tenant, 'Joanna', '+14155550102');
      await add(tenant, 'Жанна', '+79161234567');
      await add(tenant, '100%', '+306912345678');
    }
    if (indexed) await indexSearchTexts(app.db);
    await write(shop, '+14155550102');
    await write(shop, '+79161234567');
    await write(shop, '+14155550101');
    await write(shop, '+14155550101');
    await write(other, '+306912345678');
    const member = await signIn(app, shop, 'staff');
    expect(await found(member, 'ann')).toEqual(['Ann Lee', 'Joanna']);
    expect(await found(member, ' ann ')).toEqual(['Ann Lee', 'Joanna']);
    expect(await found(member, 'NN LE')).toEqual(['Ann Lee']);
    expect(await found(member, 'ЖАН')).toEqual(['Жанна']);
    expect(await found(member, 'lee@shop')).toEqual(['Ann Lee']);
    expect(await found(member, '5550')).toEqual(['Ann Lee', 'Joanna']);
    expect(await found(member, '234567')).toEqual(['Жанна']);
    // The contact exists, but has no conversation with this tenant.
    expect(await found(member, '100%')).toEqual([]);
    expect(await found(member, '+30691')).toEqual([]);
    expect(await found(member, 'lee\n+1')).toEqual([]);
    await write(shop, '+14155550102');
    expect(await found(member, 'ann')).toEqual(['Joanna', 'Ann Lee']);
    expect(await found(member, '')).toHaveLength(3);
  });
});

test('a phone without a contact is found by its prefix in any notation', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  await write(shop, '+14155550199');
  await write(shop, '+14155550199');
  await write(shop, '+4915112345678');
  await write(shop, 'US.1415555');
  await write(other, '+14155550188');
  await add(other, 'Bo', '+14155550199');
  const member = await signIn(app, shop);
  for (const typed of [
    '+1415',
    '1415',
    '001415',
    '+1 (415) 555-01',
    '\u202a+1 415\u2011555',
    '1',
    '+14155550199',
  ]) {
    expect([typed, await found(member, typed)]).toEqual([typed, ['+14155550199']]);
  }
  for (const typed of ['+1416', '415', '+141555501990', '+', '0', '(', 'US.', 'bo']) {
    expect([typed, await found(member, typed)]).toEqual([typed, []]);
  }
});

test('a conversation is found once if its phone has several forms', async () => {
  const shop = await app.tenant();
  await add(shop, 'Bruna', '+5511987654321');
  await write(shop, '+5511987654321');
  const last = await write(shop, '+551187654321');
  const member = await signIn(app, shop);
  for (const typed of ['bruna', '5511', '55119', '551187']) {
    const { body } = await member.call('GET', `/conversations?search=${typed}`);
    const shown = body.data.conversations;
    expect([typed, shown.length, shown[0]?.last.id]).toEqual([typed, 1, last]);
    expect(shown[0].window_until).toEqual(expect.any(String));
  }
});

test('a conversation deleted with its contact is not found, but a new one is', async () => {
  const shop = await app.tenant();
  const { body } = await add(shop, 'Ann', '+14155550101');
  await write(shop, '+14155550101');
  const member = await signIn(app, shop);
  await shop.call('DELETE', `/contacts/${body.data.id}`);
  expect(await found(member, '+1415')).toEqual([]);
  await write(shop, '+14155550101');
  expect(await found(member, '+1415')).toEqual(['+14155550101']);
});

/** Contacts that share a name and the beginning of a phone; every tenth has messages. */
async function shopOfMany(count: number): Promise<TestTenant> {
  const shop = await app.tenant();
  await insertContacts(
    app.db,
    'tenant_id, firstname, phone',
    sql`
      select ${shop.id}, 'Ann ' || n, '+1415' || 5000000 + n from generate_series(1, ${count}::int) as n`,
  );
  await app.db.query(sql`
    insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status)
    select ${shop.id}, ${shop.number.id}, 'in', '+1415' || 5000000 + n, 'text', '{"text": "Hello"}',
           'received'
    from generate_series(10, ${count}::int, 10) as n, generate_series(1, 3)
    order by n`);
  await indexSearchTexts(app.db);
  await app.db.pool.query(
    'analyze contacts, search_texts, new_search_texts, messages, conversations',
  );
  return shop;
}

test('a common text finds the latest matches, and the response says that there are more', async () => {
  const shop = await shopOfMany(5_000);
  // The latest Ann belongs to another tenant, and the latest message here to no contact.
  await add(await app.tenant(), 'Ann', '+4915112345678');
  await write(shop, '+4915112345678');
  const member = await signIn(app, shop);
  for (const typed of ['ann', '+1415', 'a']) {
    const { body } = await member.call('GET', `/conversations?search=${encodeURIComponent(typed)}`);
    const names = body.data.conversations.map(({ name }: { name: string }) => name);
    expect([typed, body.data.more, names.length]).toEqual([typed, true, 50]);
    const latest = Array.from({ length: 50 }, (_, index) => `Ann ${5_000 - index * 10}`);
    expect([typed, names]).toEqual([typed, latest]);
  }
  expect(await found(member, 'ann 4990')).toEqual(['Ann 4990']);
});

test('the search statements read only what they return, by index', async () => {
  const shop = await shopOfMany(3_000);
  const phones = Array.from({ length: 100 }, (_, index) => `+1415${5_000_001 + index}`);
  const plans = [
    await planOf(phonesByText(shop.id, 'ann 1234', 1_000)),
    await planOf(personsByPrefix(shop.id, '+14155', 20)),
    await planOf(conversationsOf(shop.id, { phones, persons: [] }, 20)),
  ];
  expect(plans[0]).toContain('Bitmap Index Scan on search_texts_grams');
  for (const plan of plans) {
    expect(plan).not.toMatch(/Seq Scan on (conversations|messages|contacts|search_texts)/);
  }
  for (const plan of plans.slice(1)) {
    expect(plan).toContain('conversations_pkey');
    expect(plan).not.toMatch(/Rows Removed by Filter: \d{2}/);
  }
});

async function planOf({ text, values }: Sql): Promise<string> {
  const { rows } = await app.db.pool.query<Record<string, string>>(
    `explain (analyze, timing off) ${text}`,
    values,
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
