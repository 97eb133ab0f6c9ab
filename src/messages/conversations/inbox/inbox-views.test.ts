import sql, { type Sql } from 'sql-template-tag';
import { expect, test } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { insertContacts } from '../../../../test/features/insert-contacts.ts';
import { signIn, type TestMember } from '../../../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../../../test/program/app.ts';
import { connectTestNumber, control } from '../../../../test/servers/control.ts';
import { watchChannel } from '../../../tenants/watched-topics.ts';
import { messagesOf } from '../conversation-queries.ts';
import { watchConversations } from '../live/conversation-changes.ts';
import { inboxPage } from './list-conversations.ts';

const app = testApp();

const [ann, ben, cho, dee] = ['+14155550101', '+14155550102', '+14155550103', '+14155550104'];

/**
 * Creates a tenant with three conversations that persons began, one of them with two messages, and one that it began.
 */
async function shopWithInbox(): Promise<{ shop: TestTenant; member: TestMember }> {
  const shop = await app.tenant();
  for (const [direction, phone] of [
    ['in', ann],
    ['in', ben],
    ['out', dee],
    ['in', cho],
    ['in', ann],
  ] as const) {
    await app.db.query(sql`
      insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status)
      values (${shop.id}, ${shop.number.id}, ${direction}, ${phone}, 'text', '{"text": "Hello"}',
              ${direction === 'in' ? 'received' : 'sent'})`);
  }
  return { shop, member: await signIn(app, shop, 'staff') };
}

async function list(member: TestMember, query = ''): Promise<string[]> {
  const response = await member.call('GET', `/conversations${query}`);
  expect([query, response.status]).toEqual([query, 200]);
  return response.body.data.conversations.map(({ phone }: { phone: string }) => phone);
}

async function listAll(member: TestMember, query: string) {
  const phones: string[] = [];
  let pages = 0;
  for (let next: number | null = Number.MAX_SAFE_INTEGER; next !== null; pages++) {
    const { body } = await member.call('GET', `/conversations${query}&before=${next}`);
    phones.push(...body.data.conversations.map(({ phone }: { phone: string }) => phone));
    next = body.data.next;
  }
  return { phones, pages };
}

const change = (member: TestMember, phone: string, body: object) =>
  member.call('PUT', '/conversation', { phone, ...body });

test('the inbox counts unread messages, until somebody reads them', async () => {
  const { member } = await shopWithInbox();
  const { body } = await member.call('GET', '/conversations');
  const unread = body.data.conversations.map((each: { phone: string; unread: number }) => [
    each.phone,
    each.unread,
  ]);
  expect(unread).toEqual([
    [ann, 2],
    [cho, 1],
    [dee, 0],
    [ben, 1],
  ]);
  expect(await list(member, '?view=unread')).toEqual([ann, cho, ben]);
  expect((await change(member, cho, { read: true })).status).toBe(200);
  expect(await list(member, '?view=unread')).toEqual([ann, ben]);
});

test('unread conversations are counted up to a hundred, and only those of the tenant', async () => {
  const { shop, member } = await shopWithInbox();
  await shopWithInbox();
  const count = async () => (await member.call('GET', '/conversations/unread')).body.data.count;
  expect(await count()).toBe(3);
  await change(member, ann, { read: true });
  expect(await count()).toBe(2);
  await app.db.query(sql`
    insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status)
    select ${shop.id}, ${shop.number.id}, 'in', '+1415' || (6000000 + n), 'text', '{"text": "Hello"}', 'received'
    from generate_series(1, 101) as n`);
  expect(await count()).toBe(100);
});

test('conversations that persons began are open and unassigned, until somebody takes or closes them', async () => {
  const { shop, member } = await shopWithInbox();
  const colleague = await signIn(app, shop, 'staff');
  expect(await list(member, '?view=unassigned')).toEqual([ann, cho, ben]);
  expect(await list(member, '?view=mine')).toEqual([]);
  await change(member, cho, { assignee: member.userId });
  await change(member, ben, { is_open: false });
  expect(await list(member, '?view=unassigned')).toEqual([ann]);
  expect(await list(member, '?view=mine')).toEqual([cho]);
  expect(await list(colleague, '?view=mine')).toEqual([]);
  await change(member, cho, { is_open: false });
  expect(await list(member, '?view=mine')).toEqual([]);
  expect(await list(member)).toContain(cho);
  await control(app, 'POST', '/simulator/inbound', {
    phone_number_id: shop.number.phone_number_id,
    from: cho,
    text: 'One more question',
  });
  await eventually(async () => (await list(member, '?view=mine')).includes(cho));
  await change(member, cho, { assignee: null });
  expect(await list(member, '?view=unassigned')).toEqual([cho, ann]);
});

test('the inbox can be narrowed to a number or a label, page by page', async () => {
  const { shop, member } = await shopWithInbox();
  const { body: status } = await shop.call('POST', '/statuses', { name: 'VIP', color: '#ff0000' });
  const { body: group } = await shop.call('POST', '/groups', { name: 'Berlin' });
  for (const [phone, labels] of [
    [ann, { group_ids: [group.data.id] }],
    [ben, { status_id: status.data.id, group_ids: [group.data.id] }],
  ] as const) {
    await shop.call('POST', '/contacts', { firstname: 'Ada', phone, ...labels });
  }
  expect(await list(member, `?status_id=${status.data.id}`)).toEqual([ben]);
  expect(await list(member, `?group_id=${group.data.id}`)).toEqual([ann, ben]);
  expect(await list(member, `?group_id=${group.data.id}&view=unread`)).toEqual([ann, ben]);
  expect(await list(member, `?number=${shop.number.id}`)).toEqual([ann, cho, dee, ben]);
  expect(await list(member, `?number=${shop.number.id + 1}`)).toEqual([]);
  const { body } = await member.call('GET', '/conversations');
  const second = body.data.conversations[1].last.id;
  expect(await list(member, `?before=${second}`)).toEqual([dee, ben]);
});

test('a thread has the state of its conversation', async () => {
  const { member } = await shopWithInbox();
  const stateOf = async (phone: string) => {
    const { body } = await member.call('GET', `/conversation?phone=${encodeURIComponent(phone)}`);
    const { unread, is_open, assignee } = body.data;
    return { unread, is_open, assignee };
  };
  expect(await stateOf(ann)).toEqual({ unread: 2, is_open: true, assignee: null });
  await change(member, ann, { read: true, is_open: false, assignee: member.userId });
  expect(await stateOf(ann)).toEqual({ unread: 0, is_open: false, assignee: member.userId });
  expect(await stateOf('+14155559999')).toEqual({ unread: 0, is_open: false, assignee: null });
});

test('watchers are notified of a change by a member', async () => {
  const { shop, member } = await shopWithInbox();
  const notified: string[] = [];
  await app.db.listen(watchChannel, (payload) => notified.push(payload));
  await watchConversations(app.db, shop.id, 60_000);
  await change(member, ben, { is_open: false });
  await eventually(async () => notified.includes(`${shop.id} ${ben}=`));
});

test('a change that cannot be made changes nothing', async () => {
  const { member } = await shopWithInbox();
  const { member: stranger } = await shopWithInbox();
  const unknown = await change(member, '+14155559999', { read: true });
  expect(unknown.status).toBe(404);
  for (const assignee of [stranger.userId, 'nobody']) {
    const refused = await change(member, ann, { assignee, read: true });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['assignee']]);
  }
  expect((await change(member, ann, { read: false })).status).toBe(422);
  expect(await list(member, '?view=unread')).toEqual([ann, cho, ben]);
});

test('every page of the inbox and of a thread is read from an index', async () => {
  const { shop, member } = await shopWithInbox();
  await app.db.query(sql`
    insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status)
    select ${shop.id}, ${shop.number.id}, 'in', '+1415' || (6000000 + n % 3000), 'text',
           '{"text": "Hello"}', 'received'
    from generate_series(1, 6000) as n`);
  const { rows } = await app.db.query<{ middle: number }>(sql`
    select max(id) - 1500 as middle from messages where tenant_id = ${shop.id}`);
  const middle = rows[0]!.middle;
  const page = { before: middle, limit: 30 };
  // All are of the member, who has closed most of them.
  await app.db.query(sql`
    update conversations set assignee = ${member.userId}, is_open = last_message_id % 4 = 0
    where tenant_id = ${shop.id} and last_message_id % 2 = 0`);
  await app.db.pool.query('analyze conversations, messages, message_states');
  for (const statement of [
    inboxPage(shop.id, page, {}),
    inboxPage(shop.id, page, { numberId: shop.number.id }),
    inboxPage(shop.id, page, { view: 'unread' }),
    inboxPage(shop.id, page, { view: 'unassigned' }),
    inboxPage(shop.id, page, { view: 'mine', assignee: member.userId }),
    messagesOf(shop.id, '+14156000001', middle, 50),
  ]) {
    const plan = await planOf(statement);
    expect(plan).not.toMatch(/Seq Scan on (conversations|messages|message_states)/);
    expect(plan).not.toMatch(/Rows Removed by Filter: \d{2}/);
    expect(plan).not.toMatch(/rows=\d{3,}(\.\d+)? loops/);
  }
});

test('a page by a label looks at 1,000 conversations, and the next one goes on after them', async () => {
  const { shop, member } = await shopWithInbox();
  const labels = {
    status: (await shop.call('POST', '/statuses', { name: 'Imported', color: '#ff0000' })).body,
    group: (await shop.call('POST', '/groups', { name: 'Berlin' })).body,
  };
  const [statusId, groupId] = [labels.status.data.id, labels.group.data.id];
  await insertContacts(
    app.db,
    'tenant_id, firstname, phone, status_id',
    sql`select ${shop.id}, 'Imported', '+1416' || (6000000 + n), ${statusId}::bigint from generate_series(1, 2500) as n`,
  );
  await app.db.query(sql`
    insert into contact_groups (tenant_id, contact_id, group_id)
    select ${shop.id}, id, ${groupId}::bigint from contacts where tenant_id = ${shop.id}`);
  const own = { status_id: statusId, group_ids: [groupId] };
  await shop.call('POST', '/contacts', { firstname: 'Ada', phone: ben, ...own });
  // Conversations with other people, each newer than those above.
  await app.db.query(sql`
    insert into conversations (tenant_id, number_id, person, last_message_id, is_open, unread)
    select ${shop.id}, ${shop.number.id}, '+1415' || (6000000 + n), 1000000 + n, true, 1
    from generate_series(1, 10500) as n`);
  await app.db.pool.query('analyze contacts, contact_groups, conversations, messages');
  for (const [kind, id] of [
    ['status', statusId],
    ['group', groupId],
  ] as const) {
    for (const view of ['', '&view=unread', '&view=unassigned']) {
      const { phones, pages } = await listAll(member, `?${kind}_id=${id}${view}`);
      expect([kind, view, phones, pages]).toEqual([kind, view, [ben], 11]);
    }
    const range = { before: Number.MAX_SAFE_INTEGER, after: 1_009_500, limit: 30 };
    const plan = await planOf(inboxPage(shop.id, range, {}, { kind, id }));
    // Each is looked up, and the contacts with the label are never read.
    expect(plan).not.toMatch(/Seq Scan on (conversations|contacts)|hashed/);
    expect(plan).toMatch(/loops=1000\b/);
  }
  const { phones } = await listAll(member, `?status_id=${statusId}&number=${shop.number.id}`);
  expect(phones).toEqual([ben]);
  // The conversations of another number fill the page, but they are older.
  const other = await connectTestNumber(app, shop.id);
  expect(await list(member, `?group_id=${groupId}&number=${other.id}`)).toEqual([]);
  const older = Array.from({ length: 30 }, (_, index) => `+1416${6_000_030 - index}`);
  const newer = '+14166000031';
  await app.db.query(sql`
    insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status)
    select ${shop.id}, case when phone = ${newer} then ${shop.number.id}::bigint else ${other.id} end, 'in', phone,
           'text', '{"text": "Hello"}', 'received'
    from unnest(${[...older.toReversed(), newer]}::text[]) with ordinality as sent (phone, n) order by n`);
  for (const query of [`?status_id=${statusId}`, `?group_id=${groupId}`]) {
    expect((await listAll(member, query)).phones).toEqual([newer, ...older, ben]);
  }
  expect((await listAll(member, `?group_id=${groupId}&number=${other.id}`)).phones).toEqual(older);
});

async function planOf({ text, values }: Sql): Promise<string> {
  const { rows } = await app.db.pool.query<Record<string, string>>(
    `explain (analyze, timing off) ${text}`,
    values,
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
