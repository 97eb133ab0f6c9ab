import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { write } from '../../../../test/features/bots.ts';
import { signIn } from '../../../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../../../test/program/app.ts';
import { misbehave } from '../../../../test/servers/control.ts';
import { recordPage } from './list-records.ts';
import type { RecordFilter } from './record-filter.ts';

const app = testApp();
const phone = '+14155550123';
const text = { phone_number: phone, type: 'text', message: 'Hello' };
let shop: TestTenant;

/** Inserts messages with a second between them, the first one at this time. */
async function insert(
  tenant: TestTenant,
  count: number,
  message: {
    direction?: string;
    kind?: string;
    status?: string;
    error?: object;
    to?: string;
    at?: string;
  } = {},
): Promise<number[]> {
  const { direction = 'out', kind = 'text', status = 'delivered', to = phone } = message;
  const { at = '2026-11-01T00:00:00Z', error } = message;
  const { rows } = await app.db.query<{ id: number }>(sql`
    insert into stored_messages
      (tenant_id, number_id, direction, phone, kind, content, token_id, status, network_id, created_at, failed_at,
       error)
    select ${tenant.id}, ${tenant.number.id}, ${direction}::message_direction, ${to}, ${kind}, '{"text":"Hello"}',
           ${direction === 'out' ? tenant.tokenId : null}, ${status}::message_status,
           ${status === 'unknown' ? null : sql`'wamid.' || gen_random_uuid()`},
           ${at}::timestamptz + n * interval '1 second', ${status === 'failed' ? sql`now()` : null},
           ${error ? JSON.stringify(error) : null}::jsonb
    from generate_series(1, ${count}::int) as n
    returning id`);
  return rows.map(({ id }) => id);
}

type Page = { ids: number[]; next: string | null };

async function page(tenant: TestTenant, path: string): Promise<Page> {
  const { status, body } = await tenant.call('GET', path);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { ids: body.data.map(({ id }: { id: number }) => id), next: body.pagination.next };
}

/** Walks a list to its end. */
async function walk(tenant: TestTenant, path: string): Promise<number[]> {
  const all: number[] = [];
  let next: string | null = null;
  do {
    const { ids, next: more }: Page = await page(tenant, next ? `${path}&after=${next}` : path);
    all.push(...ids);
    next = more;
  } while (next);
  return all;
}

beforeAll(async () => {
  shop = await app.tenant();
});

describe('GET /messages', () => {
  test('lists the messages of the tenant to its members too', async () => {
    const [tenant, other] = [await app.tenant(), await app.tenant()];
    const [failed] = await insert(tenant, 1, { status: 'failed' });
    await insert(tenant, 1);
    await insert(other, 1, { status: 'failed' });
    const staff = await signIn(app, tenant, 'staff');
    const { status, body } = await staff.call('GET', '/messages?status=failed');
    expect([status, body.data.map(({ id }: { id: number }) => id)]).toEqual([200, [failed]]);
    expect(body.data[0].contact_name).toBeNull();
    const { phone_number: phone } = body.data[0];
    await tenant.call('POST', '/contacts', { firstname: 'Ada', lastname: 'Lovelace', phone });
    const named = await staff.call('GET', '/messages?status=failed');
    expect(named.body.data[0].contact_name).toBe('Ada Lovelace');
    expect((await staff.call('GET', '/messages', undefined, other.slug)).status).toBe(404);
    expect((await staff.call('GET', '/messages?status=nonsense')).status).toBe(422);
  });

  test('finds the messages of a contact at its earlier phones too, but not those of the next owner', async () => {
    const tenant = await app.tenant();
    const [earlier, later] = ['+14155550171', '+14155550172'];
    const create = (fields: object) => tenant.call('POST', '/contacts', fields);
    const ada = (await create({ firstname: 'Ada', phone: earlier })).body.data;
    const [before] = await insert(tenant, 1, { to: earlier });
    await tenant.call('PUT', `/contacts/${ada.id}`, { phone: later });
    const [after] = await insert(tenant, 1, { to: later });
    const bob = (await create({ firstname: 'Bob', phone: earlier })).body.data;
    const [ofBob] = await insert(tenant, 1, { to: earlier });
    const ids = async (query: string) => (await page(tenant, `/messages?${query}`)).ids;
    expect(await ids(`contact_id=${ada.id}`)).toEqual([after, before]);
    const ofBoth = `contact_id=${ada.id}&phone_number=${encodeURIComponent(earlier)}`;
    expect(await ids(ofBoth)).toEqual([before]);
    expect(await ids(`contact_id=${bob.id}&limit=1`)).toEqual([ofBob]);
    expect(await walk(tenant, `/messages?contact_id=${ada.id}&limit=1`)).toEqual([after, before]);
  });

  test('finds messages by each filter, newest first, and by several together', async () => {
    const tenant = await app.tenant();
    await misbehave(app, tenant, { callbacks: false });
    const other = { to: '+14155550199' };
    const [old] = await insert(tenant, 1, { at: '2026-10-01T00:00:00Z' });
    const [image] = await insert(tenant, 1, { kind: 'image' });
    const [inbound] = await insert(tenant, 1, { direction: 'in', status: 'received', ...other });
    const [failed] = await insert(tenant, 1, { status: 'failed', ...other });
    const [unknown] = await insert(tenant, 1, { status: 'unknown' });
    const sent = (await tenant.call('POST', '/messages/send', { ...text, reference: 'r 1' })).body
      .data;
    const contact = (await tenant.call('POST', '/contacts', { firstname: 'Ada', phone })).body.data;
    // A process that sends right now, or died a moment ago.
    const [open] = await insert(tenant, 1, { status: 'accepting' });
    await app.db.query(sql`
      update messages set cause = 'bot', cause_id = '7', token_id = null
      where tenant_id = ${tenant.id} and id = ${image}`);
    const { phone_number_id, display_phone_number } = tenant.number;
    const ofNumber = encodeURIComponent(display_phone_number!.replace(/[^+\d]/g, ''));
    const november = [unknown, failed, inbound, image, open];
    const cases: Record<string, unknown[]> = {
      '': [sent.id, ...november, old],
      [`phone_number=${encodeURIComponent('+14155550199')}`]: [failed, inbound],
      [`contact_id=${contact.id}`]: [open, sent.id, unknown, image, old],
      [`contact_id=${contact.id}&phone_number=%2B14155550199`]: [],
      'contact_id=999999': [],
      [`number=${phone_number_id}`]: [sent.id, ...november, old],
      [`number=${ofNumber}&type=image`]: [image],
      'direction=in': [inbound],
      'direction=out&type=text&status=delivered': [old],
      'status=received': [inbound],
      'status=failed': [failed],
      'status=unknown': [unknown, open],
      'status=sent': [sent.id],
      'cause=bot': [image],
      'cause=api&status=sent': [sent.id],
      'cause=member': [],
      'reference=r%201': [sent.id],
      'reference=r': [],
      [`message_id=id:${inbound}`]: [inbound],
      [`message_id=${encodeURIComponent(sent.message_id)}`]: [sent.id],
      [`message_id=id:${unknown}&status=unknown&direction=out`]: [unknown],
      [`message_id=id:${inbound}&direction=out`]: [],
      [`message_id=id:${failed}&phone_number=%2B14155550199&reference=r`]: [],
      [`message_id=id:${failed}&phone_number=%2B14155550199`]: [failed],
      'message_id=id:999999999': [],
      'message_id=id:0': [],
      'message_id=wamid.unknown': [],
      'from_time=2026-10-15T00:00:00Z&to_time=2026-11-02T00:00:00Z': november,
      'to_time=2026-10-01T00:00:02Z': [old],
      'from_time=2026-11-01T01:00:00%2B01:00&status=failed': [failed],
      'phone_number=%2B14155550123&to_time=2026-10-15T00:00:00Z': [old],
    };
    for (const [query, ids] of Object.entries(cases)) {
      const found = (await page(tenant, `/messages?${query}`)).ids;
      // Five have the same time.
      expect(found.toSorted(), query).toEqual(ids.toSorted());
    }
    expect((await page(shop, `/messages?message_id=id:${inbound}`)).ids).toEqual([]);
    expect(await page(shop, `/messages?phone_number=${encodeURIComponent(phone)}`)).toEqual({
      ids: [],
      next: null,
    });
  });

  test('finds failed messages by their reason, or those without one', async () => {
    const tenant = await app.tenant();
    const failed = (code: number | null, to = phone) =>
      insert(tenant, 1, {
        status: 'failed',
        error: { code, title: 'Not there', details: null },
        to,
      });
    const [gone] = await failed(131026);
    const [refused] = await failed(0);
    const [unreachable] = await failed(null);
    const [other] = await failed(131026, '+14155550199');
    const [noReason] = await insert(tenant, 1, { status: 'failed' });
    // It was delivered after all.
    const [late] = await failed(131026);
    await app.db.query(sql`
      update message_states set status = 'delivered' where tenant_id = ${tenant.id} and message_id = ${late}`);
    await insert(tenant, 1);
    const cases: Record<string, unknown[]> = {
      'error_code=131026': [gone, other],
      'error_code=131026&status=failed&phone_number=%2B14155550199': [other],
      'error_code=131026&status=delivered': [],
      [`error_code=131026&message_id=id:${gone}`]: [gone],
      [`error_code=131026&message_id=id:${refused}`]: [],
      'error_code=0': [refused],
      'error_code=none': [unreachable, noReason],
      'error_code=131049': [],
      'error_code=131026&to_time=2026-11-01T00:00:00Z': [],
    };
    for (const [query, ids] of Object.entries(cases)) {
      const found = (await page(tenant, `/messages?${query}`)).ids;
      expect(found.toSorted(), query).toEqual(ids.toSorted());
    }
    expect(await walk(tenant, '/messages?error_code=none&limit=1')).toEqual([
      noReason,
      unreachable,
    ]);
    expect((await page(shop, '/messages?error_code=131026')).ids).toEqual([]);
  });

  test('walks everything once, also if messages arrive meanwhile or most do not pass', async () => {
    const tenant = await app.tenant();
    const ids = await insert(tenant, 60);
    expect(await walk(tenant, '/messages?limit=7')).toEqual(ids.toReversed());
    expect(await walk(tenant, `/messages?limit=20&phone_number=%2B14155550123`)).toEqual(
      ids.toReversed(),
    );
    const first = await page(tenant, '/messages?limit=50');
    await insert(tenant, 3, { at: '2026-11-20T00:00:00Z' });
    const second = await page(tenant, `/messages?limit=50&after=${first.next}`);
    expect([...first.ids, ...second.ids]).toEqual(ids.toReversed());

    // More than one page looks at.
    const [rare] = await insert(tenant, 1, { kind: 'location', at: '2026-09-01T00:00:00Z' });
    await app.db.query(sql`
      insert into messages (tenant_id, number_id, direction, person, kind, content, created_at)
      select ${tenant.id}, ${tenant.number.id}, 'out', ${phone}, 'text', '{}', '2026-10-01T00:00:00Z'
      from generate_series(1, 5200)`);
    await app.db.query(sql`
      insert into message_states (tenant_id, message_id, created_at, failed_at, status, error)
      select tenant_id, id, created_at, created_at, 'failed', '{"code":131049,"title":"Enough","details":null}'
      from messages where tenant_id = ${tenant.id} and created_at = '2026-10-01T00:00:00Z'`);
    // However many there are, a page reads only what it has.
    await app.db.pool.query('analyze messages, message_states, conversations');
    const plans: [filter: RecordFilter, index: string][] = [
      [{}, 'messages_created'],
      [{ people: [{ person: '+14155550199' }] }, 'messages_conversation'],
      [
        { people: [{ person: '+14155550199' }, { person: '+14155550198', upToId: 900_000_000 }] },
        'messages_conversation',
      ],
      [{ direction: 'in' }, 'messages_inbound'],
      [{ cause: 'bot' }, 'messages_cause'],
      [{ errorCode: 131026 }, 'message_states_failed'],
      [{ status: 'failed', errorCode: 'none' }, 'message_states_failed'],
      [{ reference: 'r' }, 'messages_reference'],
      [{ id: 1, reference: 'r' }, 'messages_id'],
    ];
    for (const [filter, index] of plans) {
      const statement = recordPage(tenant.id, filter, undefined, 26);
      const { rows } = await app.db.query<Record<string, string>>(
        sql`explain (analyze, costs off, timing off, summary off) ${statement}`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      const [, found] =
        new RegExp(`using ${index} on \\w+ scanned\\w* .*rows=(\\d+)`).exec(plan) ?? [];
      expect(Number(found), plan).toBeLessThanOrEqual(26);
    }
    const sparse = await page(tenant, '/messages?type=location');
    expect(sparse).toEqual({ ids: [], next: expect.any(String) });
    expect(await walk(tenant, '/messages?type=location')).toEqual([rare]);
    expect(await walk(tenant, '/messages?type=location&direction=in')).toEqual([]);
  });

  test.each([
    ['limit=0', { limit: ['must be at least 1'] }],
    ['limit=101', { limit: ['must be at most 100'] }],
    ['limit=many', { limit: ['must be an integer'] }],
    ['after=abc', { after: [expect.stringMatching(/the `next` of an earlier response/)] }],
    ['after=', { after: ['must not be empty'] }],
    ['from_time=yesterday', { from_time: [expect.stringMatching(/ISO 8601 time/)] }],
    ['to_time=2026-11-01', { to_time: [expect.stringMatching(/ISO 8601 time/)] }],
    ['to_time=2026-11-01T23:59:00%2B01', { to_time: [expect.stringMatching(/ISO 8601 time/)] }],
    ['from_time=2026-11-01T23:59:60Z', { from_time: [expect.stringMatching(/ISO 8601 time/)] }],
    [
      'from_time=2026-11-02T00:00:00Z&to_time=2026-11-01T00:00:00Z',
      { to_time: ['must be later than from_time'] },
    ],
    ['phone_number=123', { phone_number: [expect.stringMatching(/phone number/)] }],
    ['contact_id=0', { contact_id: ['must be at least 1'] }],
    ['number=15550000', { number: ['is not a number of this tenant'] }],
    ['direction=up', { direction: ['must be one of out, in'] }],
    ['status=accepting', { status: [expect.stringMatching(/must be one of unknown, sent/)] }],
    ['error_code=gone', { error_code: [expect.stringMatching(/such as 131026, or none/)] }],
    ['error_code=-1', { error_code: [expect.stringMatching(/such as 131026, or none/)] }],
    ['error_code=1e5', { error_code: [expect.stringMatching(/such as 131026, or none/)] }],
    ['error_code=9999999999', { error_code: [expect.stringMatching(/such as 131026, or none/)] }],
    ['cause=none', { cause: [expect.stringMatching(/must be one of api, member/)] }],
    ['type=A', { type: ['is not valid'] }],
    [`reference=${'x'.repeat(257)}`, { reference: [expect.stringMatching(/at most 256/)] }],
    ['message_id=', { message_id: ['must not be empty'] }],
    ['page=2', { page: [expect.stringMatching(/is not a parameter of this list/)] }],
    ['reference=a&reference=b', { reference: ['must be a string'] }],
  ])('refuses %s with 422', async (query, errors) => {
    const { status, body } = await shop.call('GET', `/messages?${query}`);
    expect({ status, errors: body.errors }).toMatchObject({ status: 422, errors });
  });

  test('refuses a number and a cursor of another tenant, and a cursor of another list or filter', async () => {
    const [one, two] = [await app.tenant(), await app.tenant()];
    await insert(one, 3);
    const { next } = await page(one, '/messages?limit=1&direction=out&type=text');
    const after = `limit=1&after=${next}`;
    expect((await page(one, `/messages?type=text&${after}&direction=out`)).ids).toHaveLength(1);
    const refused = [
      [one, `/messages?${after}&direction=out`],
      [one, `/messages?${after}&direction=out&type=image`],
      [one, `/conversations?${after}`],
      [one, `/conversations/${phone}/messages?${after}`],
      [two, `/messages?${after}&direction=out&type=text`],
      [two, `/messages?number=${one.number.phone_number_id}`],
    ] as const;
    for (const [tenant, path] of refused) {
      expect((await tenant.call('GET', path)).status, path).toBe(422);
    }
  });

  test('needs a token with its ability', async () => {
    const sender = await app.tenant({ abilities: ['messages:text', 'contacts:read'] });
    const conversation = `/conversations/${phone}`;
    for (const path of ['/messages', '/conversations', conversation, `${conversation}/messages`]) {
      expect((await sender.call('GET', path)).status, path).toBe(403);
      const stranger = { authorization: 'Bearer nobody' };
      expect((await shop.call('GET', path, undefined, stranger)).status, path).toBe(401);
    }
  });
});

describe('GET /messages/{message_id}', () => {
  test('takes a token that may read messages, or send any kind of them, but no other', async () => {
    for (const ability of ['messages:read', 'messages:text', 'messages:template']) {
      const reader = await app.tenant({ abilities: [ability] });
      const [id] = await insert(reader, 1);
      expect((await reader.call('GET', `/messages/id:${id}`)).status, ability).toBe(200);
    }
    const other = await app.tenant({ abilities: ['conversations:read', 'media:read'] });
    const [id] = await insert(other, 1);
    expect((await other.call('GET', `/messages/id:${id}`)).status).toBe(403);
  });
});

describe('conversations', () => {
  test('are found by a phone or user id, as they are in the list', async () => {
    const tenant = await app.tenant();
    await tenant.call('POST', '/contacts', { firstname: 'Ada', phone });
    await write(app, tenant, '14155550123', 'Hi');
    await eventually(async () => (await tenant.call('GET', '/conversations')).body.data.length);
    await tenant.call('POST', '/messages/send', { ...text, phone_number: '+14155550199' });
    const listed = (await tenant.call('GET', '/conversations')).body.data;
    const found = await tenant.call('GET', `/conversations/${encodeURIComponent(phone)}`);
    expect(found.body).toEqual({ success: true, data: listed[1] });
    expect(found.body.data).toMatchObject({
      phone_number: phone,
      name: 'Ada',
      window_until: expect.stringMatching(/Z$/),
    });
    const sent = await tenant.call('GET', '/conversations/+14155550199');
    expect(sent.body.data.window_until).toBeNull();
    for (const unknown of ['+14155550100', 'US.1349120865530274', 'nobody', '%00']) {
      expect((await tenant.call('GET', `/conversations/${unknown}`)).status).toBe(404);
    }
    expect((await shop.call('GET', `/conversations/${phone}`)).status).toBe(404);
  });

  test('are listed with the latest message first, and each with its messages', async () => {
    const tenant = await app.tenant({ delivers: true });
    await tenant.call('POST', '/contacts', { firstname: 'Ada', lastname: 'Lovelace', phone });
    await tenant.call('POST', '/messages/send', text);
    await write(app, tenant, '14155550199', 'Hi');
    const { body } = await eventually(async () => {
      const response = await tenant.call('GET', '/conversations');
      const [, own] = response.body.data;
      // The statuses tell the user id too.
      return own?.last_message.status === 'delivered' && own.user_id !== null && response;
    });
    const [{ phone_number_id, display_phone_number }] = [tenant.number];
    expect(body).toMatchObject({
      data: [
        {
          phone_number: '+14155550199',
          user_id: expect.stringMatching(/^[A-Z]{2}\.\w+$/),
          contact_id: expect.any(Number),
          number: { phone_number_id, display_phone_number },
          last_message: { direction: 'in', content: { text: 'Hi' } },
          unread: 1,
          is_open: true,
          assignee: null,
          window_until: expect.stringMatching(/Z$/),
        },
        {
          phone_number: phone,
          name: 'Ada Lovelace',
          last_message: { direction: 'out', cause: { kind: 'api' } },
          unread: 0,
          window_until: null,
        },
      ],
      pagination: { next: null, limit: 25 },
    });
    const first = await tenant.call('GET', '/conversations?limit=1');
    const next = first.body.pagination.next;
    const second = await tenant.call('GET', `/conversations?limit=1&after=${next}`);
    expect([...first.body.data, ...second.body.data]).toEqual(body.data);
    expect(second.body.pagination.next).toBeNull();
    const ofNumber = await tenant.call('GET', `/conversations?number=${phone_number_id}`);
    expect(ofNumber.body.data).toHaveLength(2);

    await tenant.call('POST', '/messages/send', text);
    const thread = await walk(
      tenant,
      `/conversations/${encodeURIComponent(phone)}/messages?limit=1`,
    );
    expect(thread).toHaveLength(2);
    for (const unknown of ['+14155550100', 'US.1349120865530274', 'nobody', '%00']) {
      expect((await tenant.call('GET', `/conversations/${unknown}/messages`)).status).toBe(404);
    }
    expect((await shop.call('GET', `/conversations/${phone}/messages`)).status).toBe(404);
  });

  test('leave out messages that were deleted with their contact', async () => {
    const tenant = await app.tenant();
    const contact = (await tenant.call('POST', '/contacts', { firstname: 'Ada', phone })).body.data;
    await tenant.call('POST', '/messages/send', { ...text, reference: 'gone' });
    await tenant.call('DELETE', `/contacts/${contact.id}`);
    expect((await page(tenant, '/messages?reference=gone')).ids).toEqual([]);
    expect((await page(tenant, '/messages')).ids).toEqual([]);
    expect((await tenant.call('GET', '/conversations')).body.data).toEqual([]);
    for (const path of [`/conversations/${phone}`, `/conversations/${phone}/messages`]) {
      expect((await tenant.call('GET', path)).status).toBe(404);
    }
  });
});

describe('a send whose response is lost', () => {
  test('names its id, and is found as unknown by it, by its reference and by the status', async () => {
    const tenant = await app.tenant();
    await misbehave(app, tenant, { answer: 'drop-after-accept', callbacks: false });
    const sent = await tenant.call('POST', '/messages/send', { ...text, reference: 'lost' });
    expect(sent).toMatchObject({ status: 500, body: { code: 'outcome_unknown' } });
    const { id } = sent.body.data;
    const lookup = await tenant.call('GET', `/messages/id:${id}`);
    expect(lookup.body.data).toMatchObject({ status: 'unknown', reference: 'lost', timeline: [] });
    for (const query of ['reference=lost', 'status=unknown']) {
      const { body } = await tenant.call('GET', `/messages?${query}`);
      expect(body.data, query).toMatchObject([{ id, status: 'unknown', message_id: null }]);
    }
  });
});
