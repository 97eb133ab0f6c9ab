import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { signIn, type TestMember } from '../../test/features/sign-in.ts';
import { call, type TestTenant, testApp } from '../../test/program/app.ts';
import { deleteTenant } from '../tenants/delete-tenant.ts';
import { updateTenant } from '../tenants/queries.ts';
import { createRequestGatherer } from './gather-requests.ts';
import { pruneRequests } from './prune-requests.ts';

const app = testApp();

// biome-ignore lint/suspicious/noExplicitAny: the shape is what is tested
type Logged = Record<string, any>;

/** Lists requests once a number of them is in the log, which is within a second. */
async function logged(owner: TestMember, count: number, query = ''): Promise<Logged[]> {
  return eventually(async () => {
    const { requests } = (await owner.call('GET', `/requests${query}`)).body.data;
    return requests.length >= count ? requests : undefined;
  });
}

async function openShop(number = false) {
  const shop = await app.tenant({ number });
  return { shop, owner: await signIn(app, shop) };
}

async function logBodies(owner: TestMember, minutes = 60) {
  const saved = await owner.call('PUT', '/request-bodies', { minutes });
  // A process knows its callers for less than a second.
  await app.moveClock(1_000);
  return saved.body.data.bodies_until && new Date(saved.body.data.bodies_until).getTime();
}

test('a request while the clock of its machine is ahead is logged with the present time', async () => {
  const { shop, owner } = await openShop();
  const { offsetMs } = app.clock;
  app.clock.offsetMs += 10 * 365 * 86_400_000;
  await shop.call('GET', '/groups');
  app.clock.offsetMs = offsetMs;
  const [entry] = await logged(owner, 1);
  expect(Date.parse(entry!.at)).toBeLessThanOrEqual(app.clock.now().getTime());
});

test('requests of tokens are listed newest first, are filtered, and are read to the end by a cursor', async () => {
  const { shop, owner } = await openShop();
  const { shop: other, owner: stranger } = await openShop();
  const created = await shop.call('POST', '/statuses', { name: 'Lead', color: '#f59e0b' });
  const refused = await shop.call('POST', '/statuses', { name: '' });
  await shop.call('GET', '/contacts?search=Ada&per_page=5');
  await other.call('GET', '/groups');
  await call(app, 'GET', `/api/${shop.slug}/groups`, undefined, { authorization: 'Bearer wrong' });
  await owner.call('GET', '/statuses');
  await logged(stranger, 1);

  const [list, invalid, create, ...rest] = await logged(owner, 3);
  expect(rest).toEqual([]);
  expect(create).toEqual({
    id: expect.any(Number),
    at: expect.stringMatching(/^20.*Z$/),
    method: 'POST',
    path: '/statuses',
    status: 200,
    duration_ms: expect.any(Number),
    token: { id: shop.tokenId, name: 'test' },
    request_id: created.headers['x-request-id'],
    error: null,
    left_out: 0,
  });
  expect(invalid).toMatchObject({
    status: 422,
    error: { code: 'validation_failed', message: refused.body.message },
  });
  expect(list).toMatchObject({ method: 'GET', path: '/contacts?search=Ada&per_page=5' });
  expect(await logged(stranger, 1)).toMatchObject([{ path: '/groups' }]);

  const idsOf = async (query: string) =>
    (await logged(owner, 0, query)).map(({ path, status }) => `${status} ${path.split('?')[0]}`);
  for (const [query, expected] of [
    ['?status=4', ['422 /statuses']],
    ['?status=2&method=POST', ['200 /statuses']],
    ['?status=5', []],
    ['?method=GET', ['200 /contacts']],
    ['?path=STATUS', ['422 /statuses', '200 /statuses']],
    ['?path=%25', []],
    [`?token=${shop.tokenId}&path=contacts`, ['200 /contacts']],
    ['?token=999999999', []],
    [`?request_id=${created.headers['x-request-id']}`, ['200 /statuses']],
  ] as const) {
    expect(await idsOf(query), query).toEqual(expected);
  }

  await app.db.query(sql`
    insert into api_requests (tenant_id, at, token_id, duration_ms, left_out, status, method, path, request_id)
    select ${shop.id}, now(), ${shop.tokenId}, 3, 0, 200, 'GET', '/many/' || n, 'r' || n
    from generate_series(1, 120) as n`);
  const seen: string[] = [];
  let after = '';
  for (let page = 0; page < 3; page++) {
    const { body } = await owner.call('GET', `/requests?path=many${after && `&after=${after}`}`);
    seen.push(...body.data.requests.map(({ path }: Logged) => path));
    after = body.data.after;
    if (page === 0) {
      // A cursor belongs to its tenant and its filter.
      const wrong = [
        await stranger.call('GET', `/requests?path=many&after=${after}`),
        await owner.call('GET', `/requests?after=${after}`),
      ];
      expect(wrong.map(({ status }) => status)).toEqual([422, 422]);
    }
  }
  expect(after).toBeNull();
  expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => `/many/${120 - index}`));
});

test.each([
  ['GET', '/requests?status=6', undefined, 422],
  ['GET', '/requests?status=1', undefined, 422],
  ['GET', '/requests?method=TRACE', undefined, 422],
  ['GET', '/requests?token=x', undefined, 422],
  ['GET', '/requests?path=%00', undefined, 422],
  ['GET', '/requests?after=nonsense', undefined, 422],
  ['GET', '/requests/999999999', undefined, 404],
  ['GET', '/requests/x', undefined, 404],
  ['PUT', '/request-bodies', { minutes: 61 }, 422],
  ['PUT', '/request-bodies', { minutes: -1 }, 422],
  ['PUT', '/request-bodies', { minutes: '60' }, 422],
  ['PUT', '/request-bodies', {}, 422],
] as const)('%s %s with %j returns %i', async (method, path, body, status) => {
  const { owner } = await openShop();
  expect((await owner.call(method, path, body)).status).toBe(status);
});

test('bodies are logged only while an owner has switched them on, for at most an hour', async () => {
  const { shop, owner } = await openShop();
  const [staff, stranger] = [await signIn(app, shop, 'staff'), (await openShop()).owner];
  const contact = { firstname: 'Ada', phone: '+14155550123', metadata: { plan: 'gold' } };
  await shop.call('POST', '/contacts', contact);
  expect((await staff.call('PUT', '/request-bodies', { minutes: 60 })).status).toBe(403);
  expect((await call(app, 'GET', `/dashboard-api/${shop.slug}/requests`)).status).toBe(401);
  expect((await stranger.call('GET', '/requests', undefined, shop.slug)).status).toBe(404);

  const until = await logBodies(owner);
  expect(until - app.clock.now().getTime()).toBeGreaterThan(3_590_000);
  expect(until - app.clock.now().getTime()).toBeLessThanOrEqual(3_600_000);
  expect((await staff.call('GET', '/request-bodies')).body.data.bodies_until).not.toBeNull();
  await shop.call('GET', '/contacts');
  // With a misspelt field, which is what people look for.
  const misspelt = { name: 'VIP', descripton: '🙂'.repeat(3_000) };
  expect((await shop.call('POST', '/groups', misspelt)).status).toBe(200);
  onTestFinished(() => app.setClock(0));
  await app.moveClock(3_600_000);
  await shop.call('GET', '/groups');
  expect((await owner.call('GET', '/request-bodies')).body.data.bodies_until).toBeNull();

  const all = await logged(owner, 4);
  const detailsOf = async ({ id }: Logged) =>
    (await staff.call('GET', `/requests/${id}`)).body.data;
  const [late, group, list, before] = await Promise.all(all.map(detailsOf));
  for (const each of [late, before]) {
    expect(each).toMatchObject({ request_body: null, response_body: null });
  }
  expect(JSON.parse(list.response_body).data[0]).toMatchObject({
    firstname: 'Ada',
    metadata: { plan: 'gold' },
  });
  expect(list.request_body).toBeNull();
  expect(Buffer.byteLength(group.request_body)).toBeLessThan(4_200);
  expect(group.request_body).toMatch(/^\{"name":"VIP","descripton":"🙂.*…$/su);
  const { id } = all[0]!;
  expect((await stranger.call('GET', `/requests/${id}`)).status).toBe(404);
});

describe('secrets and codes', () => {
  test('are masked in bodies, also of requests that are refused', async () => {
    const { shop, owner } = await openShop(true);
    await logBodies(owner);
    const template = {
      phone_number: '+14155550123',
      template_name: 'login_code',
      template_language: 'en_US',
    };
    await owner.call('POST', '/template-overview/sync');
    const generated = await shop.call('POST', '/messages/template', {
      ...template,
      auto_generate_otp: true,
    });
    expect(generated.body.data.otp).toMatch(/^\d{6}$/);
    await shop.call('POST', '/messages/template', { ...template, field_1: 'A-493817' });
    await shop.call('POST', '/messages/send', {
      phone_number: '+14155550123',
      type: 'text',
      message: `Your code is 271828, your token ${shop.token}`,
    });
    await shop.call('POST', '/messages/template', { ...template, field_1: 'QWERTYUI' });
    await shop.call('POST', '/messages/template', { ...template, field_1: 299792 });
    await shop.call('POST', '/messages/send', { message: 'Use 161 803 or 41-42-13 today' });
    await shop.call('POST', '/messages/send', { message: 662607 });
    await shop.call('POST', '/messages/send', { message: ['code 602214', [138064]] });
    await shop.call('POST', '/messages/media', {
      phone_number: '+14155550123',
      type: 'image',
      media_url: 'http://ada:hunter2@127.0.0.1:9/a.png?X-Signature=abc123',
    });
    await shop.call('POST', '/contacts', {
      firstname: 'Ada',
      phone: 1,
      metadata: { password: 'hunter2', API_KEY: 'k-161803', authorization: 'Basic aGk=' },
      token: shop.token,
      otp: 314159,
    });
    const all = await logged(owner, 10);
    const bodies = await Promise.all(
      all.map(async ({ id }) => {
        const { data } = (await owner.call('GET', `/requests/${id}`)).body;
        return `${data.request_body} ${data.response_body}`;
      }),
    );
    const text = bodies.join('\n');
    const secrets = [
      generated.body.data.otp,
      'A-493817',
      'QWERTYUI',
      '161 803',
      '41-42-13',
      '271828',
      '299792',
      '662607',
      '602214',
      '138064',
      shop.token,
      'hunter2',
      'abc123',
      'k-161803',
      'aGk=',
      '314159',
    ];
    expect(secrets.filter((each) => text.includes(each))).toEqual([]);
    expect(text).toContain('"otp":"•••"');
    expect(text).toContain('"auto_generate_otp":true');
    expect(text).toContain('"message":"Your code is •••, your token •••"');
    expect(text).toContain('"media_url":"http://•••@127.0.0.1:9/a.png?•••"');
    expect(text).toContain('"phone_number":"+14155550123"');
    expect(text).toContain(generated.body.data.message_id);
  });

  test('are masked in the query, whose known parameters are kept', async () => {
    const { shop, owner } = await openShop();
    const { body } = await shop.call('GET', '/contacts?per_page=1');
    await shop.call('GET', `/contacts?search=Ada&token=${shop.token}&${shop.token}`);
    await shop.call('GET', `/contacts?after=${body.pagination.next ?? 'abc'}&sort=created_at`);
    const paths = (await logged(owner, 3)).map(({ path }) => path);
    expect(paths.slice(0, 2)).toEqual([
      '/contacts?after=•••&sort=created_at',
      '/contacts?search=Ada&token=•••&•••',
    ]);
  });
});

test('of a busy tenant, the first requests and errors of a second are kept, and the others counted', async () => {
  const [{ shop, owner }, { shop: quiet, owner: neighbour }] = [await openShop(), await openShop()];
  const gatherer = createRequestGatherer(app.services);
  let described = 0;
  const note = ({ id: tenantId, tokenId }: TestTenant, status: number) =>
    gatherer.note(tenantId, status, () => ({
      tenantId,
      tokenId,
      at: new Date(),
      method: 'GET',
      path: `/${++described}`,
      status,
      durationMs: 1,
      requestId: 'r',
      error: undefined,
      leftOut: 0,
      requestBody: null,
      responseBody: null,
    }));
  for (let each = 0; each < 500; each++) note(shop, 200);
  for (let each = 0; each < 30; each++) note(shop, 404);
  note(quiet, 200);
  await gatherer.flush();
  const kept = await logged(owner, 1);
  expect(kept.map(({ status }) => status)).toEqual([
    ...Array(10).fill(404),
    ...Array(10).fill(200),
  ]);
  expect(kept.reduce((sum, { left_out: leftOut }) => sum + leftOut, 0)).toBe(510);
  expect(described).toBe(21);
  expect(await logged(neighbour, 1)).toMatchObject([{ left_out: 0 }]);
});

test('a filter that lets few pass looks at a bounded part, and goes on behind it', async () => {
  const { shop, owner } = await openShop();
  await app.db.query(sql`
    insert into api_requests (tenant_id, at, token_id, duration_ms, left_out, status, method, path, request_id)
    select ${shop.id}, now(), ${shop.tokenId}, 3, 0, case when n = 5 then 500 else 200 end, 'GET', '/contacts',
           'request-' || n
    from generate_series(1, 20010) as n`);
  const read = async (query: string) =>
    (await owner.call('GET', `/requests?${query}`)).body.data as {
      requests: { request_id: string }[];
      after: string | null;
    };
  const first = await read('status=5');
  expect(first.requests).toEqual([]);
  const second = await read(`status=5&after=${first.after}`);
  expect(second).toMatchObject({ requests: [{ request_id: 'request-5' }], after: null });
  const byId = await read('request_id=request-2');
  expect(byId).toMatchObject({ requests: [{ request_id: 'request-2' }], after: null });
});

test('requests are deleted after seven days or with messages of their age, also behind one from when the clock was ahead, and with their tenant', async () => {
  const { shop } = await openShop();
  await app.db.query(sql`
    insert into api_requests (tenant_id, at, token_id, duration_ms, left_out, status, method, path, request_id)
    select ${shop.id}, now() - case when n = 1 then interval '-1 year' when n <= 1203 then interval '169 hours'
                 when n <= 1209 then interval '167 hours' else interval '1 hour' end,
           ${shop.tokenId}, 3, 0, 200, 'GET', '/contacts', 'r'
    from generate_series(1, 1210) as n`);
  const left = async () => {
    const { rows } = await app.db.query<{ count: number }>(sql`
      select count(*) from api_requests where tenant_id = ${shop.id}`);
    return rows[0]!.count;
  };
  await pruneRequests(app.services);
  expect(await left()).toBe(7);
  // Bodies have texts of messages.
  await updateTenant(app.db, shop.id, { message_retention_days: 8 });
  await pruneRequests(app.services);
  expect(await left()).toBe(7);
  await updateTenant(app.db, shop.id, { message_retention_days: 6 });
  await pruneRequests(app.services);
  expect(await left()).toBe(1);
  await deleteTenant(app.db, shop.id);
  expect(await left()).toBe(0);
});
