import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { insertContacts } from '../../../test/features/insert-contacts.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { connectTestNumber, misbehave } from '../../../test/servers/control.ts';
import type { Db } from '../../platform/database/database.ts';
import { alongIndex, findPage } from './find-page.ts';
import { countFound } from './list-filter.ts';

const app = testApp();

type Listed = { id: number; firstname: string };
type Pagination = { page: number; total: number; total_pages: number; next: string | null };

const people = [
  { firstname: 'cora', phone: '+14155550101', email: 'Cora@Example.com', external_id: 'crm-1' },
  { firstname: 'Bert', phone: '+14155550102', email: 'bert@example.com' },
  { firstname: 'Ann', phone: '+14155550103', city: 'Bath' },
  { firstname: 'Émile', phone: '+5511987654321', external_id: 'crm-4' },
  { firstname: 'bert', phone: '+14155550105' },
];

let shop: TestTenant;
let ids: number[];
const labels = { status: 0, source: 0, group: 0 };

beforeAll(async () => {
  shop = await app.tenant();
  const create = async (path: string, body: object): Promise<number> =>
    (await shop.call('POST', path, body)).body.data.id;
  labels.status = await create('/statuses', { name: 'Lead' });
  labels.source = await create('/sources', { name: 'Fair' });
  labels.group = await create('/groups', { name: 'Regulars' });
  ids = [];
  for (const [index, person] of people.entries()) {
    const status = index < 3 && { status_id: labels.status };
    const others = index % 2 === 0 && { source_id: labels.source, group_ids: [labels.group] };
    ids.push(await create('/contacts', { ...person, ...status, ...others }));
  }
  // A status would add the user ids to the contacts, which changes their `updated_at`.
  await misbehave(app, shop, { callbacks: false });
  for (const { phone } of [people[2]!, people[0]!]) {
    const message = { phone_number: phone, type: 'text', message: 'Hello' };
    expect((await shop.call('POST', '/messages/send', message)).status).toBe(200);
  }
});

async function list(query: string, of = shop) {
  const { status, body } = await of.call('GET', `/contacts?${query}`);
  expect(status, JSON.stringify(body.errors)).toBe(200);
  return body as { data: Listed[]; pagination: Pagination };
}

/** Reads everything by cursor. */
async function walked(query: string, of = shop) {
  const found: Listed[] = [];
  const totals = new Set<number>();
  for (let after = ''; ; ) {
    const { data, pagination } = await list(`${query}${after}`, of);
    found.push(...data);
    totals.add(pagination.total);
    if (pagination.next === null) return { found, totals: [...totals] };
    after = `&after=${pagination.next}`;
  }
}

describe('the list of contacts', () => {
  test('passes each filter, alone and together, with the total of what passes', async () => {
    const changed = (await shop.call('PUT', `/contacts/${ids[3]}`, { city: 'Recife' })).body.data;
    const before = new Date(Date.parse(changed.updated_at) - 1).toISOString();
    for (const [query, found] of [
      [`status_id=${labels.status}`, [0, 1, 2]],
      ['status_id=0', [3, 4]],
      [`source_id=${labels.source}`, [0, 2, 4]],
      [`group_id=${labels.group}&status_id=${labels.status}`, [0, 2]],
      ['group_id=0', [1, 3]],
      ['phone=%2B14155550102', [1]],
      ['phone=+14155550102', [1]],
      // Without the ninth digit, as the network writes it.
      ['phone=%2B551187654321', [3]],
      ['phone=%2B14155550199', []],
      ['email=cora%40example.com', [0]],
      ['email=example.com', []],
      ['external_id=crm-4', [3]],
      ['external_id=CRM-4', []],
      [`external_id=crm-4&status_id=${labels.status}`, []],
      ['search=bert&source_id=0', [1]],
      ['search=bert%0A&source_id=0', []],
      [`updated_after=${before}`, [3]],
      [`updated_after=${changed.updated_at}`, []],
      [`updated_after=${encodeURIComponent('0000-01-01T00:00:00+05:00')}`, [0, 1, 2, 3, 4]],
      ['updated_after=9999-12-31T23:59:59-12:00', []],
      ['status_id=999999', []],
    ] as const) {
      const { data, pagination } = await list(query);
      expect(
        data.map(({ id }) => ids.indexOf(id)),
        query,
      ).toEqual(found);
      expect(pagination, query).toMatchObject({ page: 1, total: found.length, next: null });
    }
  });

  test('is sorted, by page and by cursor alike, and counts its pages', async () => {
    for (const [query, order] of [
      ['sort=created_at', [0, 1, 2, 3, 4]],
      ['sort=-created_at', [4, 3, 2, 1, 0]],
      ['sort=firstname', [2, 1, 4, 0, 3]],
      ['sort=-last_message_at', [0, 2, 4, 3, 1]],
      [`sort=-last_message_at&status_id=${labels.status}`, [0, 2, 1]],
      ['search=e', [0, 1, 3, 4]],
      ['search=e&sort=-created_at', [4, 3, 1, 0]],
      ['', [0, 1, 2, 3, 4]],
    ] as const) {
      const inOrder = order.map((index) => ids[index]);
      const { found, totals } = await walked(`per_page=2&${query}`);
      expect(
        found.map(({ id }) => id),
        query,
      ).toEqual(inOrder);
      expect(totals).toEqual([order.length]);
      expect((await list(`per_page=2&page=9&${query}`)).data).toEqual([]);
      const second = await list(`per_page=2&page=2&${query}`);
      expect(
        second.data.map(({ id }) => id),
        query,
      ).toEqual(inOrder.slice(2, 4));
      expect(second.pagination).toMatchObject({
        page: 2,
        total_pages: Math.ceil(order.length / 2),
        next: order.length > 4 ? expect.any(String) : null,
      });
    }
    expect((await list('sort=firstname&page=9')).data).toEqual([]);
  });

  test('is sorted by the latest message, whatever the lengths of the ids of messages', async () => {
    const other = await app.tenant();
    await insertContacts(
      app.db,
      'tenant_id, firstname, phone',
      sql`select ${other.id}::bigint, 'Person ' || n, '+' || 14160000000 + n from generate_series(0, 4) n`,
    );
    // Messages from before the number was connected have negative ids.
    await app.db.query(sql`
      insert into conversations (tenant_id, number_id, person, last_message_id)
      select ${other.id}, ${other.number.id}, '+' || 14160000000 + n, id
      from unnest(${[9, -2, 10, -10]}::bigint[]) with ordinality as talking (id, n)`);
    const inOrder = [3, 1, 2, 4, 0].map((n) => `Person ${n}`);
    const { found } = await walked('sort=-last_message_at&per_page=2', other);
    expect(found.map(({ firstname }) => firstname)).toEqual(inOrder);
    const { data } = await list('sort=-last_message_at', other);
    expect(data.map(({ firstname }) => firstname)).toEqual(inOrder);
  });

  test('shows nothing of another tenant, and a HEAD has the same status', async () => {
    const other = await app.tenant({ number: false });
    expect((await list(`external_id=crm-1`, other)).data).toEqual([]);
    expect((await list(`group_id=${labels.group}&sort=-last_message_at`, other)).data).toEqual([]);
    expect((await shop.call('HEAD', '/contacts?sort=firstname')).status).toBe(200);
  });

  test('refuses what is not valid, and cursors of another list, tenant or filter', async () => {
    const other = await app.tenant({ number: false });
    const { next } = (await list('per_page=2&sort=firstname')).pagination;
    const notOurs =
      'must be the `next` of an earlier response to this request, with the same parameters';
    for (const [query, field, text] of [
      ['status_id=x', 'status_id', 'must be an integer'],
      ['group_id=-1', 'group_id', 'must be at least 0'],
      ['source_id=1&source_id=2', 'source_id', 'must be an integer'],
      ['phone=4155550101', 'phone', /^must be a phone number/],
      ['email=', 'email', 'must not be empty'],
      ['updated_after=yesterday', 'updated_after', /^must be an ISO 8601 time/],
      ['updated_after=2026-02-30', 'updated_after', /^must be an ISO 8601 time/],
      ['updated_after=2026-11-24T23:59:60Z', 'updated_after', /^must be an ISO 8601 time/],
      ['sort=lastname', 'sort', /^must be one of created_at, -created_at/],
      ['limit=5', 'limit', /^is not a parameter of this list/],
      [`sort=firstname&page=2&after=${next}`, 'page', /^must be absent with after/],
      [`after=${next}`, 'after', notOurs],
      [`sort=firstname&status_id=0&after=${next}`, 'after', notOurs],
      [`sort=firstname&after=${next!.slice(0, -2)}`, 'after', notOurs],
      ['after=', 'after', notOurs],
      ['after=%00', 'after', expect.any(String)],
      ['per_page=0', 'per_page', 'must be an integer from 1 to 100'],
      ['per_page=many', 'per_page', expect.any(String)],
      ['per_page=101', 'per_page', 'must be an integer from 1 to 100'],
    ] as const) {
      const { status, body } = await shop.call('GET', `/contacts?${query}`);
      expect(status, query).toBe(422);
      const expected = text instanceof RegExp ? expect.stringMatching(text) : text;
      expect(body.errors[field], query).toEqual([expected]);
    }
    const theirs = await other.call('GET', `/contacts?sort=firstname&after=${next}`);
    expect(theirs.body.errors).toEqual({ after: [notOurs] });
  });
});

test('a list of more contacts than are sorted at once is walked along an index, completely', async () => {
  const big = await app.tenant();
  await insertContacts(
    app.db,
    'tenant_id, firstname, phone',
    sql`select ${big.id}::bigint, 'Person ' || n % 7, '+' || 14160000000 + n from generate_series(1, 10100) n`,
  );
  const { rows } = await app.db.query<{ id: number; firstname: string; phone: string }>(
    sql`select id, firstname, phone from contacts where tenant_id = ${big.id} order by id`,
  );
  await misbehave(app, big, { callbacks: false });
  for (const { phone } of [rows[5]!, rows[9_000]!, rows[5]!]) {
    await big.call('POST', '/messages/send', { phone_number: phone, type: 'text', message: 'Hi' });
  }
  await big.call('PUT', `/contacts/${rows[3]!.id}`, { city: 'Bath' });
  const byName = rows.toSorted((a, b) =>
    a.firstname < b.firstname ? -1 : a.firstname > b.firstname ? 1 : a.id - b.id,
  );
  const talking = [rows[5]!.id, rows[9_000]!.id];
  const silent = rows
    .map(({ id }) => id)
    .filter((id) => !talking.includes(id))
    .reverse();
  const ordered = {
    '-created_at': rows.map(({ id }) => id).reverse(),
    firstname: byName.map(({ id }) => id),
    updated_at: [...rows.filter((_, index) => index !== 3), rows[3]!].map(({ id }) => id),
    '-last_message_at': [...talking, ...silent],
  };
  for (const [sort, expected] of Object.entries(ordered)) {
    const first = await list(`sort=${sort}&per_page=3`, big);
    const second = await list(`sort=${sort}&per_page=3&after=${first.pagination.next}`, big);
    const third = await list(`sort=${sort}&per_page=3&after=${second.pagination.next}`, big);
    const found = [first, second, third].flatMap(({ data }) => data.map(({ id }) => id));
    expect(found, sort).toEqual(expected.slice(0, 9));
    const last = await list(`sort=${sort}&per_page=100&page=101`, big);
    expect(
      last.data.map(({ id }) => id),
      sort,
    ).toEqual(expected.slice(10_000));
    expect(last.pagination).toMatchObject({ total: 10_100, next: null });
  }
  // A search for a common term: its hits are counted, not the texts of all contacts.
  const found = await list('search=person&sort=-created_at&per_page=3', big);
  expect(found.data.map(({ id }) => id)).toEqual(ordered['-created_at'].slice(0, 3));
  expect(found.pagination.total).toBe(10_100);
  const texts: string[] = [];
  const recording: Db = {
    query(given) {
      texts.push(given.text);
      return app.db.query(given);
    },
  };
  for (const [filter, total] of [
    [{ search: 'person' }, 10_100],
    [{ search: 'person', updatedAfterMs: 0 }, 10_100],
    [{ search: 'person', status_id: 0 }, 10_100],
    [{ search: 'person', status_id: 1 }, 0],
  ] as const) {
    expect(await countFound(recording, big.id, 'page', filter)).toBe(total);
  }
  for (const text of texts) expect(text).not.toContain('search_text(');
  // Conversations that a page did not find, and the count behind it does: as those that begin between the two.
  await app.db.query(sql`
    update conversations set number_id = -number_id where tenant_id = ${big.id}`);
  const missed = await list('sort=-last_message_at&per_page=1&page=2', big);
  expect(missed.data.map(({ id }) => id)).toEqual(silent.slice(0, 1));
  await app.db.query(sql`analyze contacts`);
  for (const [sort, index] of [
    ['firstname', 'contacts_firstname'],
    ['updated_at', 'contacts_updated'],
  ] as const) {
    const page = { after: undefined, offset: 0, limit: 26 };
    const { text, values } = alongIndex(big.id, { reach: 'page', filter: {}, sort }, page);
    const plan = await app.db.pool.query(`explain ${text}`, values);
    expect(JSON.stringify(plan.rows)).toMatch(new RegExp(`Index( Only)? Scan using ${index}`));
  }
});

test('a long list by latest message is complete, also if few with the label have a conversation', async () => {
  const big = await app.tenant();
  const create = async (path: string, body: object): Promise<number> =>
    (await big.call('POST', path, body)).body.data.id;
  const status = await create('/statuses', { name: 'Imported' });
  const group = await create('/groups', { name: 'Newsletter' });
  await insertContacts(
    app.db,
    'tenant_id, firstname, phone, status_id',
    sql`select ${big.id}::bigint, 'Person', '+' || 14160000000 + n, ${status}::bigint from generate_series(1, 10100) n`,
  );
  await app.db.query(sql`
    insert into contact_groups (tenant_id, contact_id, group_id)
    select ${big.id}, id, ${group}::bigint from contacts where tenant_id = ${big.id}`);
  const other = await connectTestNumber(app, big.id);
  // Three wrote to a number before many others did, and three wrote to another number even earlier.
  await app.db.query(sql`
    insert into conversations (tenant_id, number_id, person, last_message_id)
    select ${big.id}, number_id, person, id
    from (
      select ${big.number.id}::bigint, '+' || 14160000000 + n * 1000, n from generate_series(1, 3) n
      union all
      select ${big.number.id}, '+' || 14150000000 + n, 100 + n from generate_series(1, 10400) n
      union all
      select ${other.id}, '+' || 14160000000 + n * 1000, -n from generate_series(4, 6) n
    ) as talking (number_id, person, id)`);
  await app.db.pool.query('analyze contacts, contact_groups, conversations');
  const { rows } = await app.db.query<{ id: number; phone: string }>(
    sql`select id, phone from contacts where tenant_id = ${big.id} order by id`,
  );
  const talking = [3_000, 2_000, 1_000, 4_000, 5_000, 6_000].map((n) => rows[n - 1]!.id);
  const silent = rows.map(({ id }) => id).filter((id) => !talking.includes(id));
  const expected = [...talking, ...silent.reverse()];
  for (const filter of [`status_id=${status}`, `group_id=${group}`, 'source_id=0']) {
    const query = `${filter}&sort=-last_message_at&per_page=2`;
    const found: number[] = [];
    let after = '';
    for (const _ of [1, 2, 3, 4]) {
      const { data, pagination } = await list(query + after, big);
      found.push(...data.map(({ id }) => id));
      after = `&after=${pagination.next}`;
    }
    expect(found, filter).toEqual(expected.slice(0, 8));
    const second = await list(`${query}&page=2`, big);
    expect(second.data.map(({ id }) => id)).toEqual(expected.slice(2, 4));
    expect(second.pagination.total).toBe(10_100);
  }
  const statements: Sql[] = [];
  const recording: Db = {
    query(given) {
      statements.push(given as Sql);
      return app.db.query(given);
    },
  };
  const page = { after: undefined, offset: 0, limit: 26 };
  for (const filter of [{ status_id: status }, { group_id: group }, { source_id: 0 }]) {
    await findPage(recording, big.id, { reach: 'page', filter, sort: '-last_message_at' }, page);
  }
  for (const { text, values } of statements) {
    const plan = await app.db.pool.query(`explain (analyze, timing off) ${text}`, values);
    // The contacts of at most 10,000 conversations are looked up, and not of the other 400.
    expect(JSON.stringify(plan.rows)).not.toMatch(/loops=104\d\d/);
  }
  expect(statements).toHaveLength(9);
});
