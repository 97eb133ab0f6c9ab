import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { lockWaiters } from '../../../test/database/locks.ts';
import { insertContacts } from '../../../test/features/insert-contacts.ts';
import { signIn, type TestMember } from '../../../test/features/sign-in.ts';
import { type TestResponse, type TestTenant, testApp } from '../../../test/program/app.ts';
import { indexSearchTexts, moveSearchTexts } from './index-search-texts.ts';

const app = testApp();

const people = [
  { firstname: 'Ann', lastname: 'Lee', phone: '+14155550101', email: 'ann.lee@example.com' },
  { firstname: 'Жанна', lastname: 'Иванова', phone: '+79161234567' },
  { firstname: 'Nguyễn', lastname: 'Thị Hương', phone: '+84912345678' },
  { firstname: '王', lastname: '伟', phone: '+8613812345678' },
  { firstname: 'فاطمة', lastname: 'الزهراء', phone: '+201001234567' },
  {
    firstname: '100%',
    lastname: 'a_b',
    phone: '+14155550102',
    email: "x'y@example.org",
  },
  { firstname: 'back\\slash', lastname: "O'Neil & Söhne (:*|!)", phone: '+14155550103' },
  { firstname: 'ΟΔΥΣΣΕΥΣ', lastname: 'Σ', phone: '+306912345678' },
  { firstname: 'Zoe\u0308', phone: '+14155550104' },
  { firstname: '👩🏽‍🔧 Kim', phone: '+821012345678' },
  { firstname: 'Işıl', lastname: 'İPEK', phone: '+905321234567' },
  { firstname: 'Jörg', lastname: 'Weißkopf', phone: '+4915112345679' },
  { firstname: 'Οδυσσέας', lastname: 'Ελύτης', phone: '+306912345670' },
];

async function shopWithPeople(): Promise<TestTenant> {
  const shop = await app.tenant({ number: false });
  const other = await app.tenant({ number: false });
  for (const person of people) {
    for (const tenant of [shop, other]) {
      const { status } = await tenant.call('POST', '/contacts', person);
      expect(status).toBe(200);
    }
  }
  return shop;
}

async function found({ call }: TestTenant | TestMember, term: string, path = '') {
  const { body } = await call('GET', `/contacts${path}?search=${encodeURIComponent(term)}`);
  expect(body.pagination.total).toBe(body.data.length);
  return body.data.map(({ firstname }: { firstname: string }) => firstname);
}

const cases: [string, string[]][] = [
  ['ann', ['Ann']],
  ['N L', ['Ann']],
  ['Ann Lee', ['Ann']],
  ['Lee Ann', []],
  ['AnnLee', []],
  ['ANN.LEE@EXAMPLE', ['Ann']],
  // The letter with dots is another letter, in every Unicode form.
  ['e', ['Ann', '100%', 'back\\slash', 'Işıl', 'Jörg']],
  ['жан', ['Жанна']],
  ['ВАНОВ', ['Жанна']],
  ['на и', ['Жанна']],
  ['nguyễn', ['Nguyễn']],
  ['NGUYỄN', ['Nguyễn']],
  ['nguyen', []],
  ['Thị', ['Nguyễn']],
  ['hương'.normalize('NFD'), ['Nguyễn']],
  ['王', ['王']],
  ['王 伟', ['王']],
  ['王伟', []],
  ['伟', ['王']],
  ['طم', ['فاطمة']],
  ['%', ['100%']],
  ['0%', ['100%']],
  ['_', ['100%']],
  ['a_b', ['100%']],
  ['axb', []],
  ['%%', []],
  ['\\', ['back\\slash']],
  ['k\\s', ['back\\slash']],
  ["'", ['100%', 'back\\slash']],
  ["o'n", ['back\\slash']],
  ["''", []],
  ['(:*|!)', ['back\\slash']],
  [':*', ['back\\slash']],
  [' & ', ['back\\slash']],
  ['δυσσ', ['ΟΔΥΣΣΕΥΣ', 'Οδυσσέας']],
  ['ευς', ['ΟΔΥΣΣΕΥΣ']],
  ['zoë', ['Zoe\u0308']],
  ['Zoe\u0308', ['Zoe\u0308']],
  ['👩🏽', ['👩🏽‍🔧 Kim']],
  ['ışıl', ['Işıl']],
  ['IŞIL', ['Işıl']],
  ['ipek', ['Işıl']],
  ['İpek', ['Işıl']],
  ['i\u0307pek', ['Işıl']],
  ['weißk', ['Jörg']],
  ['WEISSK', ['Jörg']],
  ['WEIẞK', ['Jörg']],
  ['σσέασ', ['Οδυσσέας']],
  ['ΕΑΣ ΕΛΎ', ['Οδυσσέας']],
  ['ΕΑΣ ΕΛΥ', ['Οδυσσέας']],
  // The + of a phone, not encoded, arrives as a space.
  [' 14155550101', ['Ann']],
  [' 5550101', []],
  ['+1415', ['Ann', '100%', 'back\\slash', 'Zoe\u0308']],
  ['2345678', ['Nguyễn', '王', 'ΟΔΥΣΣΕΥΣ', '👩🏽‍🔧 Kim']],
  ['5550101', ['Ann']],
  ['lee\n+1', []],
  ['zzz', []],
  ['x'.repeat(511), []],
];

describe.each([
  ['new', false],
  ['indexed', true],
])('a search among %s contacts', (_, indexed) => {
  test('finds a part in any script and case, without wildcards', async () => {
    const shop = await shopWithPeople();
    if (indexed) await indexSearchTexts(app.db);
    const owner = await signIn(app, shop);
    for (const [term, names] of cases) {
      expect([term, await found(shop, term)]).toEqual([term, names]);
      if (names.length > 0) continue;
      expect([term, await found(owner, term, '/filtered')]).toEqual([term, []]);
    }
  });

  test('follows changes and deletions', async () => {
    const shop = await shopWithPeople();
    if (indexed) await indexSearchTexts(app.db);
    const { body } = await shop.call('GET', '/contacts?search=ann.lee');
    const path = `/contacts/${body.data[0].id}`;
    await shop.call('PUT', path, { firstname: 'Beth', email: 'beth@example.com' });
    expect(await found(shop, 'ann')).toEqual([]);
    expect(await found(shop, 'beth lee')).toEqual(['Beth']);
    if (indexed) await indexSearchTexts(app.db);
    expect(await found(shop, 'beth@')).toEqual(['Beth']);
    await shop.call('PUT', path, { city: 'Rome' });
    expect(await found(shop, 'beth')).toEqual(['Beth']);
    await shop.call('DELETE', path);
    expect(await found(shop, 'beth')).toEqual([]);
    const { rows } = await app.db.query(sql`
      select from search_texts full join new_search_texts using (tenant_id, contact_id, text)
      where tenant_id = ${shop.id}`);
    expect(rows).toHaveLength(people.length - 1);
  });
});

test('the API finds nobody by a WhatsApp username, but staff do', async () => {
  const shop = await app.tenant({ number: false });
  const owner = await signIn(app, shop);
  const status = (await shop.call('POST', '/statuses', { name: 'A' })).body.data.id;
  for (const [place, email] of ['maria@example.com', undefined, 'x@example.com'].entries()) {
    const contact = { firstname: 'Ada', phone: `+1415555012${place}`, email, status_id: status };
    await shop.call('POST', '/contacts', contact);
  }
  await app.db.query(sql`
    update contacts set username = 'maria_9' where tenant_id = ${shop.id} and phone <> '+14155550120'`);
  await insertContacts(
    app.db,
    'tenant_id, firstname, user_id, username',
    sql`values (${shop.id}::bigint, 'US.1', 'US.1', 'maria.0'), (${shop.id}, 'Bo Maria', 'US.2', 'bo')`,
  );
  const total = async ({ call }: TestTenant | TestMember, query: string) =>
    (await call('GET', `/contacts${query}`)).body.pagination.total;
  for (const indexed of [false, true]) {
    if (indexed) await indexSearchTexts(app.db);
    for (const [query, byApi, byStaff] of [
      ['?search=maria', 2, 5],
      ['?search=MARIA_9', 0, 2],
      ['?search=maria&sort=-created_at', 2, 5],
      [`?search=maria&status_id=${status}`, 1, 3],
      ['?search=ada', 3, 3],
      ['?search=example', 2, 2],
    ] as const) {
      expect([query, await total(shop, query)]).toEqual([query, byApi]);
      expect([query, await total(owner, query)]).toEqual([query, byStaff]);
    }
    expect(await total(owner, `/filtered?search=maria&status_id=${status}`)).toBe(3);
  }
});

test('a search among indexed contacts uses the index', async () => {
  const { rows } = await app.db.query<{ 'QUERY PLAN': string }>(sql`
    explain select contact_id from search_texts
    where tenant_id = 1 and search_grams(tenant_id, text) @@ search_query(1, 'ann')
      and strpos(text, 'ann') > 0`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('Bitmap Index Scan on search_texts_grams');
});

test('ANALYZE of the search texts does not compute their n-grams', async () => {
  await shopWithPeople();
  await indexSearchTexts(app.db);
  await app.db.query(sql`analyze search_texts`);
  const { rows } = await app.db.query<{ of: string }>(sql`
    select distinct tablename as of from pg_stats where tablename like 'search_texts%'`);
  expect(rows).toEqual([{ of: 'search_texts' }]);
});

describe('pages', () => {
  test('have every contact once, in the order of the ids, with the exact total', async () => {
    const shop = await app.tenant({ number: false });
    const other = await app.tenant({ number: false });
    const ids: number[] = [];
    for (let n = 0; n < 23; n++) {
      const body = { firstname: `N${n}`, phone: `+1415555${String(n).padStart(4, '0')}` };
      ids.push((await shop.call('POST', '/contacts', body)).body.data.id);
      await other.call('POST', '/contacts', body);
    }
    for (const search of ['', '&search=n']) {
      const walked: number[] = [];
      for (let page = 1; page <= 5; page++) {
        const { body } = await shop.call('GET', `/contacts?per_page=5&page=${page}${search}`);
        expect(body.pagination).toMatchObject({ page, per_page: 5, total: 23, total_pages: 5 });
        walked.push(...body.data.map(({ id }: { id: number }) => id));
      }
      expect(walked).toEqual(ids);
      const past = await shop.call('GET', `/contacts?per_page=5&page=6${search}`);
      expect(past.body).toEqual({
        success: true,
        data: [],
        pagination: { page: 6, per_page: 5, total: 23, total_pages: 5, next: null },
      });
    }
    for (const id of ids.splice(3, 11)) await shop.call('DELETE', `/contacts/${id}`);
    const { body } = await shop.call('GET', '/contacts?per_page=7&page=2');
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual(ids.slice(7));
    expect(body.pagination.total).toBe(12);
  });

  test('have defaults and bounds', async () => {
    const shop = await app.tenant({ number: false });
    const { body } = await shop.call('GET', '/contacts');
    const pagination = { page: 1, per_page: 25, total: 0, total_pages: 0, next: null };
    expect(body.pagination).toEqual(pagination);
    const far = await shop.call('GET', '/contacts?page=9007199254740991&per_page=100');
    expect([far.status, far.body.data]).toEqual([200, []]);
    for (const [query, field] of [
      ['page=0', 'page'],
      ['page=-1', 'page'],
      ['page=1.5', 'page'],
      ['page=x', 'page'],
      ['page=', 'page'],
      ['page=1&page=2', 'page'],
      ['page=1e1', 'page'],
      ['page=0x1', 'page'],
      ['page=%201', 'page'],
      ['page[]=1', 'page'],
      ['search[]=a', 'search'],
      ['per_page=0', 'per_page'],
      ['per_page=101', 'per_page'],
      ['per_page=ten', 'per_page'],
      [`search=${'x'.repeat(512)}`, 'search'],
    ] as const) {
      const { status, body } = await shop.call('GET', `/contacts?${query}`);
      expect([query, status, Object.keys(body.errors)]).toEqual([query, 422, [field]]);
    }
  });
});

test('a contact that is changed while its text is moved is found only by the new text', async () => {
  const shop = await app.tenant({ number: false });
  const { body } = await shop.call('POST', '/contacts', {
    firstname: 'Before',
    phone: '+14155550111',
  });
  const path = `/contacts/${body.data.id}`;
  let changed: Promise<unknown> | undefined;
  await app.db.transaction(async (tx) => {
    await moveSearchTexts({ ...app.db, query: tx.query.bind(tx) }, 1_000);
    changed = shop.call('PUT', path, { firstname: 'After' });
    await lockWaiters(app);
  });
  await changed;
  await moveSearchTexts(app.db, 1_000);
  const total = async (search: string) =>
    (await shop.call('GET', `/contacts?search=${search}`)).body.pagination.total;
  expect([await total('Before'), await total('After')]).toEqual([0, 1]);
});

test('many searches of one tenant do not block the requests of others', async () => {
  const [shop, other] = [await app.tenant({ number: false }), await app.tenant({ number: false })];
  const owner = await signIn(app, shop);
  let searches: Promise<TestResponse[]> | undefined;
  await app.db.transaction(async (tx) => {
    await tx.query(sql`lock table search_texts in access exclusive mode`);
    const ways = [
      () => shop.call('GET', '/contacts?search=ann'),
      () => owner.call('GET', '/contacts/filtered?search=ann'),
      () => owner.call('GET', '/conversations?search=ann'),
    ];
    searches = Promise.all(Array.from({ length: 60 }, (_, index) => ways[index % 3]!()));
    await lockWaiters(app, { count: 3 });
    // The last of them are authenticated.
    await owner.call('GET', '/members');
    expect((await other.call('GET', '/statuses')).status).toBe(200);
  });
  expect((await searches)?.map(({ status }) => status)).toEqual(Array(60).fill(200));
});
