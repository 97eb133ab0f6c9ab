import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { lockWaiters } from '../../test/database/locks.ts';
import { signIn } from '../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { moveToFreshMinute } from '../../test/program/clock.ts';
import { purgeConversations } from '../messages/erasing/purge-conversations.ts';
import type { Db } from '../platform/database/database.ts';
import { deleteTenant } from '../tenants/delete-tenant.ts';
import { expandBatches } from '../webhooks/delivering/expand-batches.ts';
import { eventTypes } from '../webhooks/schema.ts';
import { indexSearchTexts } from './searching/index-search-texts.ts';
import { createContactIfAbsent, upsertContact } from './writing/upsert-contact.ts';

const app = testApp();
let phones = 0;
const newPhone = () => `+1415555${String(++phones).padStart(4, '0')}`;

async function create(tenant: TestTenant, fields: object = {}) {
  const response = await tenant.call('POST', '/contacts', {
    firstname: 'Ann',
    phone: newPhone(),
    ...fields,
  });
  if (response.status !== 200) throw new Error(JSON.stringify(response.body));
  return response.body.data;
}

async function withWebhook(tenant: TestTenant) {
  await app.db.query(sql`
    insert into webhooks (tenant_id, url, events, secret)
    values (${tenant.id}, 'https://shop.test/hook', ${eventTypes}, '\\x00')`);
  return async () => {
    await expandBatches(app.db, 100);
    const { rows } = await app.db.query<{ body: string }>(sql`
      select body from deliveries where tenant_id = ${tenant.id} order by created_at, id`);
    return rows.map(({ body }) => JSON.parse(body));
  };
}

describe('a contact', () => {
  test('is created with all its fields, read, changed and deleted', async () => {
    const shop = await app.tenant({ number: false });
    const label = async (kind: string) =>
      (await shop.call('POST', `/${kind}`, { name: 'A' })).body.data.id;
    const [status, source, group] = [
      await label('statuses'),
      await label('sources'),
      await label('groups'),
    ];
    const fields = {
      firstname: 'Ann',
      lastname: 'Lee',
      phone: '+14155550999',
      email: 'ann@example.com',
      company: 'Lee & Co',
      city: 'Oakland',
      external_id: 'crm-9',
      status_id: status,
      source_id: source,
      group_ids: [group],
      metadata: { plan: 'gold' },
    };
    const created = await shop.call('POST', '/contacts', fields);
    expect(created.status).toBe(200);
    expect(created.body).toEqual({
      success: true,
      message: 'The contact was created.',
      data: {
        id: expect.any(Number),
        ...fields,
        user_id: null,
        username: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        updated_at: created.body.data.created_at,
      },
    });
    const path = `/contacts/${created.body.data.id}`;
    const read = await shop.call('GET', path);
    expect(read.body).toEqual({ success: true, data: created.body.data });

    await app.moveClock(5_000);
    const changed = await shop.call('PUT', path, { city: 'Berkeley', email: null, group_ids: [] });
    expect(changed.body.data).toEqual({
      ...created.body.data,
      city: 'Berkeley',
      email: null,
      group_ids: [],
      updated_at: expect.any(String),
    });
    expect(changed.body.data.updated_at > created.body.data.updated_at).toBe(true);

    const deleted = await shop.call('DELETE', path);
    expect(deleted.body).toEqual({
      success: true,
      message: 'The contact and its conversation were deleted. This cannot be undone.',
      data: { id: created.body.data.id, deleted: true },
    });
    for (const method of ['GET', 'DELETE']) {
      expect((await shop.call(method, path)).status).toBe(404);
    }
    expect((await shop.call('PUT', path, { city: 'x' })).status).toBe(404);
  });

  test('has null for absent fields, and unknown fields are ignored', async () => {
    const shop = await app.tenant({ number: false });
    const contact = await create(shop, {
      ...{ lastname: '', email: '', company: '', city: null },
      ...{ nickname: 'Annie', id: 7 },
    });
    expect(contact).toEqual({
      id: expect.any(Number),
      firstname: 'Ann',
      lastname: null,
      phone: expect.any(String),
      email: null,
      company: null,
      city: null,
      user_id: null,
      username: null,
      external_id: null,
      metadata: {},
      status_id: null,
      source_id: null,
      group_ids: [],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const { body } = await shop.call('PUT', `/contacts/${contact.id}`, { nickname: 'Annie' });
    expect(body.data).toEqual({ ...contact, updated_at: expect.any(String) });
  });

  test('has trimmed names, and null for invisible texts', async () => {
    const shop = await app.tenant({ number: false });
    const asked = { firstname: ' Ann', lastname: ' Doe ', company: '   ', city: '\u200b' };
    const contact = await create(shop, asked);
    const trimmed = { firstname: 'Ann', lastname: 'Doe', company: null, city: null };
    expect(contact).toMatchObject(trimmed);
    const path = `/contacts/${contact.id}`;
    const { body } = await shop.call('PUT', path, { lastname: ' ', city: 'San Juan ' });
    expect(body.data).toMatchObject({ ...trimmed, lastname: null, city: 'San Juan' });
    const { body: same } = await shop.call('PUT', path, { city: ' San Juan' });
    expect(same.data).toEqual(body.data);
  });

  test.each([
    [{ firstname: undefined }, 'firstname', 'is required'],
    [{ phone: undefined }, 'phone', 'is required'],
    [{ firstname: null }, 'firstname', 'must be a string'],
    [{ firstname: 7 }, 'firstname', 'must be a string'],
    [{ firstname: '' }, 'firstname', 'must not be empty'],
    [{ firstname: '  ' }, 'firstname', expect.stringContaining('must have a visible character')],
    [{ firstname: 'a\nb' }, 'firstname', 'must be on one line; it has a line break at character 2'],
    [{ firstname: 'a'.repeat(256) }, 'firstname', 'must have at most 255 characters; it has 256'],
    [{ lastname: ['x'] }, 'lastname', 'must be a string or null'],
    [{ city: 'x\u0007' }, 'city', 'must not have control characters; it has U+0007 at character 2'],
    [{ company: '😀'.repeat(256) }, 'company', 'must have at most 255 characters; it has 256'],
    [{ email: 'ann' }, 'email', 'must be an email address'],
    [{ email: 'ann@example' }, 'email', 'must be an email address'],
    [{ email: 'a b@example.com' }, 'email', 'must be an email address'],
    [{ phone: '14155550123' }, 'phone', expect.stringContaining('leading +')],
    [{ phone: '+1 415 555 0123' }, 'phone', expect.stringContaining('digits only')],
    [{ phone: '+1415' }, 'phone', expect.stringContaining('possible phone number')],
    [{ phone: '+999123456789' }, 'phone', expect.stringContaining('possible phone number')],
    [{ phone: 14155550123 }, 'phone', 'must be a string'],
    [{ status_id: '1' }, 'status_id', 'must be an integer or null'],
    [{ status_id: 1.5 }, 'status_id', 'must be an integer or null'],
    [{ status_id: 0 }, 'status_id', 'must be the id of an existing status'],
    [{ status_id: 1e18 }, 'status_id', 'must be the id of an existing status'],
    [{ source_id: 987654 }, 'source_id', 'must be the id of an existing source'],
    [{ group_ids: 5 }, 'group_ids', 'must be an array or null'],
    [{ group_ids: ['5', 'x'] }, 'group_ids', 'must be ids of existing groups'],
    [
      { group_ids: Array(1001).fill(1) },
      'group_ids',
      'must have at most 1,000 entries; it has 1,001',
    ],
    [{ group_ids: [987654] }, 'group_ids', 'must be ids of existing groups'],
    [{ group_ids: [1e300] }, 'group_ids', 'must be ids of existing groups'],
  ])('is refused with %j', async (fields, field, message) => {
    const shop = await app.tenant({ number: false });
    const valid = { firstname: 'Ann', phone: newPhone() };
    const refused = await shop.call('POST', '/contacts', { ...valid, ...fields });
    expect(refused.body).toEqual({
      success: false,
      message: expect.any(String),
      errors: { [field]: [message] },
      code: 'validation_failed',
    });
    expect(refused.status).toBe(422);

    if (message === 'is required') return;
    const { id } = await create(shop);
    const unchanged = await shop.call('PUT', `/contacts/${id}`, fields);
    expect([unchanged.status, unchanged.body.errors]).toEqual([422, refused.body.errors]);
  });

  test('is refused with all faults together', async () => {
    const shop = await app.tenant({ number: false });
    const { status, body } = await shop.call('POST', '/contacts', { phone: '1', email: 'x' });
    expect(status).toBe(422);
    expect(Object.keys(body.errors).sort()).toEqual(['email', 'firstname', 'phone']);
  });

  test('is refused as quickly if a field is as long as a body can be', async () => {
    const shop = await app.tenant({ number: false });
    // A regular expression with quadratic time would block the process for half an hour.
    const long = `${'a'.repeat(1_000_000)}\n`;
    for (const field of ['firstname', 'lastname', 'email', 'phone']) {
      const { body } = await shop.call('POST', '/contacts', {
        ...{ firstname: 'Ann', phone: '+14155550123' },
        [field]: long,
      });
      expect(Object.keys(body.errors)).toEqual([field]);
    }
  });

  test('is refused for deeply nested values before they are parsed, but not for brackets in a text', async () => {
    const shop = await app.tenant();
    const body = { firstname: 7, phone: '+14155550123', group_ids: Array(200_000).fill({}) };
    const { status, body: response } = await shop.call('POST', '/contacts', body);
    expect([status, response.message]).toEqual([400, 'The body has more than 10,000 values.']);
    const nested = { a: { b: Object.fromEntries(Object.entries('x'.repeat(10_001))) } };
    expect((await shop.call('POST', '/contacts', nested)).status).toBe(400);
    const note = '",[{\\'.repeat(20_000);
    const whole = { firstname: 'Ann', phone: '+14155550123', note };
    expect((await shop.call('POST', '/contacts', whole)).status).toBe(200);
  });

  test('can only have a phone that no other contact of the tenant has', async () => {
    const [shop, other] = [
      await app.tenant({ number: false }),
      await app.tenant({ number: false }),
    ];
    const [first, second] = [await create(shop), await create(shop)];
    const taken = { phone: ['already belongs to another contact'] };
    const again = await shop.call('POST', '/contacts', { firstname: 'Bob', phone: first.phone });
    expect([again.status, again.body.errors]).toEqual([422, taken]);
    const changed = await shop.call('PUT', `/contacts/${second.id}`, { phone: first.phone });
    expect([changed.status, changed.body.errors]).toEqual([422, taken]);
    const unchanged = await shop.call('PUT', `/contacts/${first.id}`, { phone: first.phone });
    expect(unchanged.status).toBe(200);
    expect((await create(other, { phone: first.phone })).phone).toBe(first.phone);

    await shop.call('DELETE', `/contacts/${first.id}`);
    expect((await create(shop, { phone: first.phone })).id).not.toBe(first.id);
  });

  test('can only have labels of its own tenant', async () => {
    const [shop, other] = [
      await app.tenant({ number: false }),
      await app.tenant({ number: false }),
    ];
    const foreign = async (kind: string) =>
      (await other.call('POST', `/${kind}`, { name: 'A' })).body.data.id;
    const fields = {
      status_id: await foreign('statuses'),
      source_id: await foreign('sources'),
      group_ids: [await foreign('groups')],
    };
    const errors = {
      status_id: ['must be the id of an existing status'],
      source_id: ['must be the id of an existing source'],
      group_ids: ['must be ids of existing groups'],
    };
    const valid = { firstname: 'Ann', phone: newPhone() };
    const created = await shop.call('POST', '/contacts', { ...valid, ...fields });
    expect([created.status, created.body.errors]).toEqual([422, errors]);
    const { id } = await create(shop);
    const changed = await shop.call('PUT', `/contacts/${id}`, fields);
    expect([changed.status, changed.body.errors]).toEqual([422, errors]);
    // With a taken phone, both faults are reported together.
    const { phone } = await create(shop);
    const both = { ...errors, phone: ['already belongs to another contact'] };
    const wrong = { firstname: 'Ann', phone, ...fields };
    expect((await shop.call('POST', '/contacts', wrong)).body.errors).toEqual(both);
    expect((await shop.call('PUT', `/contacts/${id}`, wrong)).body.errors).toEqual(both);
    // Nothing shows that another tenant has a contact with this phone.
    const { phone: strange } = await create(other);
    const asking = { ...wrong, phone: strange };
    expect((await shop.call('POST', '/contacts', asking)).body.errors).toEqual(errors);
    expect((await shop.call('PUT', `/contacts/${id}`, asking)).body.errors).toEqual(errors);

    // The database refuses them too.
    for (const column of ['status_id', 'source_id'] as const) {
      const forced = app.db.pool.query(
        `update contacts set ${column} = $1 where tenant_id = $2 and id = $3`,
        [fields[column], shop.id, id],
      );
      await expect(forced).rejects.toThrow('foreign key');
    }
    const forced = app.db.query(sql`
      insert into contact_groups values (${shop.id}, ${id}, ${fields.group_ids[0]})`);
    await expect(forced).rejects.toThrow('foreign key');
  });

  test('of another tenant is not found', async () => {
    const [shop, other] = [
      await app.tenant({ number: false }),
      await app.tenant({ number: false }),
    ];
    const { id } = await create(other);
    const missing = await shop.call('GET', '/contacts/999999999');
    for (const [method, body] of [['GET'], ['PUT', { city: 'x' }], ['DELETE']] as const) {
      const response = await shop.call(method, `/contacts/${id}`, body);
      expect([response.status, response.body]).toEqual([404, missing.body]);
    }
    expect((await shop.call('GET', '/contacts')).body.data).toEqual([]);
    expect((await other.call('GET', `/contacts/${id}`)).status).toBe(200);
    for (const odd of ['0', '-1', '1.5', 'abc', '9'.repeat(30), '%00']) {
      expect((await shop.call('GET', `/contacts/${odd}`)).status).toBe(404);
    }
  });

  test('needs a token with the ability', async () => {
    const readers = await app.tenant({ number: false, abilities: ['contacts:read'] });
    const writers = await app.tenant({
      number: false,
      abilities: ['contacts:create', 'contacts:update', 'contacts:delete'],
    });
    const body = { firstname: 'Ann', phone: newPhone() };
    for (const [method, path] of [
      ['POST', '/contacts'],
      ['PUT', '/contacts/1'],
      ['DELETE', '/contacts/1'],
    ] as const) {
      expect((await readers.call(method, path, body)).status).toBe(403);
      const headers = { authorization: 'Bearer nothing' };
      expect((await readers.call(method, path, body, headers)).status).toBe(401);
    }
    for (const path of ['/contacts', '/contacts/1']) {
      expect((await writers.call('GET', path)).status).toBe(403);
    }
  });

  test('counts against the minute of its token once, created or refused', async () => {
    const shop = await app.tenant({ number: false, plan: 'starter' });
    await moveToFreshMinute(app);
    const phone = newPhone();
    const statuses = [];
    for (const body of [{ firstname: 'Ann', phone }, { firstname: 'Ann', phone }, {}]) {
      const response = await shop.call('POST', '/contacts', body);
      statuses.push([response.status, response.headers['ratelimit-remaining']]);
    }
    expect(statuses).toEqual([
      [200, '59'],
      [422, '58'],
      [422, '57'],
    ]);
    const more = await Promise.all(
      Array.from({ length: 60 }, () =>
        shop.call('POST', '/contacts', { firstname: 'Ann', phone: newPhone() }),
      ),
    );
    expect(more.filter(({ status }) => status === 200)).toHaveLength(57);
    expect(more.filter(({ status }) => status === 429)).toHaveLength(3);
  });
});

describe('events of contacts', () => {
  test('are recorded for each create, read, change and deletion, with the full record', async () => {
    const shop = await app.tenant({ number: false });
    const events = await withWebhook(shop);
    const group = (await shop.call('POST', '/groups', { name: 'A' })).body.data.id;
    const contact = await create(shop, { group_ids: [group] });
    const second = await create(shop);
    await shop.call('GET', `/contacts/${contact.id}`);
    await shop.call('GET', '/contacts?per_page=2');
    const member = await signIn(app, shop);
    for (const path of [
      '/contacts/filtered',
      '/contacts?sort=-created_at',
      `/contacts/${second.id}`,
    ]) {
      expect((await member.call('GET', path)).status).toBe(200);
    }
    // It discloses nothing.
    for (const path of [`/contacts/${contact.id}`, '/contacts', '/contacts?search=a']) {
      expect((await shop.call('HEAD', path)).status).toBe(200);
    }
    await shop.call('GET', `/contacts?search=${second.phone.slice(1)}`);
    const changed = (await shop.call('PUT', `/contacts/${contact.id}`, { city: 'Rome' })).body.data;
    // These change nothing, so that servers that react to each event with a PUT do not loop.
    const { id: _, created_at: _created, updated_at: _updated, ...whole } = changed;
    for (const same of [whole, { city: 'Rome', email: '' }, {}]) {
      const response = await shop.call('PUT', `/contacts/${contact.id}`, same);
      expect([response.status, response.body.data]).toEqual([200, changed]);
    }
    await shop.call('PUT', `/contacts/${contact.id}`, { phone: second.phone });
    await shop.call('DELETE', `/contacts/${contact.id}`);
    const byStores = [];
    for (const add of [createContactIfAbsent, upsertContact]) {
      byStores.push((await add(app.db, shop.id, { phone: newPhone() })).contact);
    }
    expect(await events()).toEqual([
      { event: 'contact.created', data: contact },
      { event: 'contact.created', data: second },
      { event: 'contact.read', data: contact },
      { event: 'contact.read', data: contact },
      { event: 'contact.read', data: second },
      { event: 'contact.read', data: second },
      { event: 'contact.updated', data: changed },
      { event: 'contact.deleted', data: changed },
      ...byStores.map((data) => ({ event: 'contact.created', data })),
    ]);

    // No events that the webhook does not want, and none while it is off.
    for (const change of [
      sql`events = '{contact.deleted}'`,
      sql`events = ${eventTypes}, off_since = now()`,
    ]) {
      await app.db.query(sql`update webhooks set ${change} where tenant_id = ${shop.id}`);
      await create(shop);
      await shop.call('GET', '/contacts?per_page=2');
      await shop.call('PUT', `/contacts/${second.id}`, { city: 'Bonn' });
    }
    expect(await events()).toHaveLength(10);
  });
});

test('a deletion runs again after a deadlock', async () => {
  const shop = await app.tenant({ number: false });
  const { id } = await create(shop);
  await app.db.pool.query(`
    create sequence deletions;
    create function deadlock_once() returns trigger language plpgsql as $$ begin
      if nextval('deletions') = 1 then raise exception 'deadlock' using errcode = '40P01'; end if;
      return old;
    end $$;
    create trigger deadlock_once before delete on contacts
      for each row when (old.id = ${id}) execute function deadlock_once()`);
  expect((await shop.call('DELETE', `/contacts/${id}`)).status).toBe(200);
  expect((await shop.call('GET', `/contacts/${id}`)).status).toBe(404);
  await app.db.pool.query(`
    drop trigger deadlock_once on contacts; drop function deadlock_once; drop sequence deletions`);
});

describe('a change that waited for another one of the same contact', () => {
  /** Begins a change, makes another one while it waits, and returns the event of the one that waited. */
  async function changeTwice(
    begin: (tenant: TestTenant, contactId: number) => Promise<unknown>,
    meanwhile: (tx: Db, tenant: TestTenant, contactId: number) => Promise<unknown>,
  ) {
    const shop = await app.tenant({ number: false });
    const events = await withWebhook(shop);
    const { id } = await create(shop);
    const begun = await app.db.transaction(async (tx) => {
      await tx.query(sql`select from contacts where tenant_id = ${shop.id} for update`);
      const running = begin(shop, id);
      await lockWaiters(app);
      await meanwhile(tx, shop, id);
      return { running };
    });
    await begun.running;
    return (await events()).at(-1);
  }

  const upsert = (shop: TestTenant, contactId: number) =>
    app.db
      .query<{ phone: string }>(sql`select phone from contacts where id = ${contactId}`)
      .then(({ rows }) => upsertContact(app.db, shop.id, { phone: rows[0]!.phone, city: 'Rome' }));

  test.each([
    [
      'a PUT',
      (shop: TestTenant, id: number) => shop.call('PUT', `/contacts/${id}`, { city: 'Rome' }),
    ],
    ['what a store knows', upsert],
  ])('has the later time of the two: %s', async (_, begin) => {
    let other = '';
    const event = await changeTwice(begin, async (tx, _shop, id) => {
      // Another test may have shifted the clock.
      const { rows } = await tx.query<{ at: Date }>(sql`
        update contacts set updated_at = clock_timestamp() + interval '1 hour' where id = ${id}
        returning updated_at as at`);
      other = rows[0]!.at.toISOString();
    });
    expect(event).toMatchObject({ event: 'contact.updated', data: { city: 'Rome' } });
    expect(event.data.updated_at > other).toBe(true);
  });

  test.each([
    ['a deletion', (shop: TestTenant, id: number) => shop.call('DELETE', `/contacts/${id}`)],
    ['what a store knows', upsert],
  ])('has the groups of the first change in its event: %s', async (_, begin) => {
    let group: number | undefined;
    const event = await changeTwice(begin, async (tx, shop, id) => {
      const { rows } = await tx.query<{ id: number }>(sql`
        insert into groups (tenant_id, name) values (${shop.id}, 'A') returning id`);
      group = rows[0]!.id;
      await tx.query(sql`
        insert into contact_groups (tenant_id, contact_id, group_id)
        values (${shop.id}, ${id}, ${group})`);
    });
    expect(event.data.group_ids).toEqual([group]);
  });
});

describe('a deleted contact', () => {
  const send = async (tenant: TestTenant, phone_number: string) => {
    const text = { phone_number, type: 'text', message: 'Oi' };
    return (await tenant.call('POST', '/messages/send', text)).body.data.message_id as string;
  };
  const lookUp = async (tenant: TestTenant, id: string) =>
    (await tenant.call('GET', `/messages/${encodeURIComponent(id)}`)).status;

  test('takes the conversations of its earlier phones with it', async () => {
    const [shop, other] = [await app.tenant(), await app.tenant()];
    const phones = ['+5531987650001', '+14155550177', '+14155550188', '+14155550199'] as const;
    // Another tenant's contact with one of the phones does not keep its messages here.
    const { id: stranger } = await create(other, { phone: phones[1] });
    const ofStranger = await send(other, phones[1]);
    const { id } = await create(shop, { phone: phones[0] });
    const change = (phone: string) => shop.call('PUT', `/contacts/${id}`, { phone });
    const gone = [await send(shop, phones[0])];
    await change(phones[1]);
    // No contact has this phone any more, so its messages are not deleted.
    const between = await send(shop, phones[0]);
    gone.push(await send(shop, phones[1]));
    await change(phones[2]);
    const ofAnother = await send(shop, phones[2]);
    await change(phones[3]);
    gone.push(await send(shop, phones[3]));
    const { id: another } = await create(shop, { phone: phones[2] });

    expect((await shop.call('DELETE', `/contacts/${id}`)).status).toBe(200);
    for (const message of gone) expect(await lookUp(shop, message)).toBe(404);
    for (const message of [between, ofAnother]) expect(await lookUp(shop, message)).toBe(200);
    await shop.call('DELETE', `/contacts/${another}`);
    expect(await lookUp(shop, ofAnother)).toBe(404);
    expect(await lookUp(other, ofStranger)).toBe(200);
    await other.call('DELETE', `/contacts/${stranger}`);
    await purgeConversations(app.db);
    const { rows } = await app.db.query(sql`
      select network_id from stored_messages where tenant_id in (${shop.id}, ${other.id})`);
    expect(rows).toEqual([{ network_id: between }]);
  });

  test('that swapped phones with another: deleting both deletes both conversations', async () => {
    const shop = await app.tenant();
    const [first, second] = [await create(shop), await create(shop)];
    const sent = [await send(shop, first.phone), await send(shop, second.phone)];
    for (const [contact, phone] of [
      [first, newPhone()],
      [second, first.phone],
      [first, second.phone],
    ] as const) {
      expect((await shop.call('PUT', `/contacts/${contact.id}`, { phone })).status).toBe(200);
    }
    const owner = await signIn(app, shop);
    const deleted = await owner.call('POST', '/contacts/delete', { ids: [first.id, second.id] });
    expect(deleted.body.data).toEqual({ contacts: 2 });
    for (const message of sent) expect(await lookUp(shop, message)).toBe(404);
  });

  test('takes all messages with it that were sent while it or another contact had a phone, permanently', async () => {
    const shop = await app.tenant();
    const phone = newPhone();
    const [early, twice, between] = [await create(shop), await create(shop), await create(shop)];
    const sent: string[] = [];
    for (const { id } of [early, twice, between, twice]) {
      await shop.call('PUT', `/contacts/${id}`, { phone });
      sent.push(await send(shop, phone));
      await shop.call('PUT', `/contacts/${id}`, { phone: newPhone() });
    }
    const owner = await signIn(app, shop);
    await owner.call('POST', '/contacts/delete', { ids: [between.id, twice.id] });
    for (const message of sent) expect(await lookUp(shop, message)).toBe(404);
    await shop.call('DELETE', `/contacts/${early.id}`);
    for (const message of sent) expect(await lookUp(shop, message)).toBe(404);
  });

  test('takes its conversation with it, in any form of its phone', async () => {
    const [shop, other] = [await app.tenant(), await app.tenant()];
    const contact = await create(shop, { phone: '+5531987654321' });
    await create(other, { phone: contact.phone });
    const gone = [await send(shop, '+5531987654321'), await send(shop, '+553187654321')];
    const remaining = [
      [shop, await send(shop, '+5511987654321')],
      [other, await send(other, contact.phone)],
    ] as const;
    for (const id of gone) expect(await lookUp(shop, id)).toBe(200);
    await shop.call('DELETE', `/contacts/${contact.id}`);
    for (const id of gone) expect(await lookUp(shop, id)).toBe(404);
    for (const [tenant, id] of remaining) expect(await lookUp(tenant, id)).toBe(200);
    const later = await send(shop, contact.phone);
    expect(await lookUp(shop, later)).toBe(200);

    await purgeConversations(app.db);
    const { rows } = await app.db.query<{ network_id: string }>(sql`
      select network_id from stored_messages where tenant_id in (${shop.id}, ${other.id})`);
    expect(rows.map(({ network_id }) => network_id).sort()).toEqual(
      [...remaining.map(([, id]) => id), later].sort(),
    );
  });
});

describe('contacts written at the same time', () => {
  test('one bad contact among many fails alone', async () => {
    const shop = await app.tenant({ number: false });
    const phone = newPhone();
    const responses = await Promise.all(
      [{}, { phone }, { status_id: 999 }, { phone }, { group_ids: [999] }, {}].map((fields) =>
        shop.call('POST', '/contacts', { firstname: 'Ann', phone: newPhone(), ...fields }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 422, 422, 422, 200]);
  });

  test('of one phone, one is created', async () => {
    const shop = await app.tenant({ number: false });
    const phone = newPhone();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => shop.call('POST', '/contacts', { firstname: 'Ann', phone })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 422)).toHaveLength(19);
  });

  test('the groups are those of one of two changes, never a mixture', async () => {
    const shop = await app.tenant({ number: false });
    const groups: number[] = [];
    for (const name of 'abcdef') {
      groups.push((await shop.call('POST', '/groups', { name })).body.data.id);
    }
    const { id } = await create(shop);
    const sets = [groups.slice(0, 3), groups.slice(2, 5), groups.slice(5), []];
    for (let round = 0; round < 5; round++) {
      const responses = await Promise.all(
        sets.map((group_ids) => shop.call('PUT', `/contacts/${id}`, { group_ids })),
      );
      for (const [index, response] of responses.entries()) {
        expect(response.body.data.group_ids).toEqual(sets[index]);
      }
      const { body } = await shop.call('GET', `/contacts/${id}`);
      expect(sets).toContainEqual(body.data.group_ids);
    }
  });

  test('changes that swap phones end without a server error', async () => {
    const shop = await app.tenant({ number: false });
    const contacts = [await create(shop), await create(shop)];
    for (let round = 0; round < 10; round++) {
      const responses = await Promise.all(
        contacts.map(({ id }, index) =>
          shop.call('PUT', `/contacts/${id}`, { phone: contacts[1 - index].phone }),
        ),
      );
      for (const { status } of responses) expect([200, 422]).toContain(status);
    }
  });
});

describe('an Idempotency-Key', () => {
  test('makes a create happen once and replays its response', async () => {
    const shop = await app.tenant({ number: false, plan: 'starter' });
    await moveToFreshMinute(app);
    const body = { firstname: 'Ann', phone: newPhone() };
    const headers = { 'idempotency-key': 'first-contact' };
    const first = await shop.call('POST', '/contacts', body, headers);
    const again = await shop.call('POST', '/contacts', body, headers);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const refused = await shop.call('POST', '/contacts', body, { 'idempotency-key': 'second' });
    expect(refused.status).toBe(422);
    expect(refused.headers['ratelimit-remaining']).toBe('57');
    expect((await shop.call('GET', '/contacts')).body.pagination.total).toBe(1);
    expect((await shop.call('POST', '/groups', { name: 'A' }, headers)).status).toBe(422);
    const label = { 'idempotency-key': 'label' };
    const [one, two] = [
      await shop.call('POST', '/groups', { name: 'A' }, label),
      await shop.call('POST', '/groups', { name: 'A' }, label),
    ];
    expect([one.status, two.body]).toEqual([200, one.body]);
  });
});

test('deleting a tenant deletes everything of its contacts', async () => {
  const shop = await app.tenant({ number: false });
  const group = (await shop.call('POST', '/groups', { name: 'A' })).body.data.id;
  const status = (await shop.call('POST', '/statuses', { name: 'A' })).body.data.id;
  const { id } = await create(shop, { status_id: status, group_ids: [group] });
  await shop.call('PUT', `/contacts/${id}`, { phone: newPhone() });
  await indexSearchTexts(app.db);
  await create(shop);
  await deleteTenant(app.db, shop.id);
  for (const table of [
    ...['contacts', 'contact_groups', 'contact_counts', 'search_texts', 'new_search_texts'],
    ...['earlier_conversations', 'groups', 'statuses'],
  ]) {
    const { rows } = await app.db.pool.query(`select from ${table} where tenant_id = $1`, [
      shop.id,
    ]);
    expect([table, rows.length]).toEqual([table, 0]);
  }
});
