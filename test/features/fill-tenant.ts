import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { inviteMember } from '../../src/members/invite-member.ts';
import { createStore } from '../../src/stores/setup/create-store.ts';
import { createToken } from '../../src/tenants/tokens/create-token.ts';
import { setWebhook } from '../../src/webhooks/set-webhook.ts';
import type { TestApp, TestTenant } from '../program/app.ts';
import { insertContacts } from './insert-contacts.ts';

const longName =
  'Wolfeschlegelsteinhausenbergerdorff Rindfleischetikettierungsüberwachungsaufgabenübertragung';

/** The phone of a person with a long conversation. */
export const talker = '+14155550101';

/** Fills a tenant with everything that a page can show: long and short, successful and failed. */
export async function fillTenant(app: TestApp, shop: TestTenant): Promise<{ storeId: number }> {
  await addLabelsAndContacts(app, shop);
  await addConversations(app, shop);
  await addBots(shop, app);
  await addTokensAndMembers(app, shop);
  await addAuditEntries(app, shop);
  await addRequests(app, shop);
  await addWebhook(app, shop);
  return { storeId: await addStores(app, shop) };
}

async function addLabelsAndContacts({ db }: TestApp, shop: TestTenant) {
  const make = async (path: string, label: object) =>
    (await shop.call('POST', path, label)).body.data.id as number;
  const statuses = [
    await make('/statuses', { name: 'Lead', color: '#f59e0b', description: 'Asked, not bought.' }),
    await make('/statuses', { name: 'Customer', color: '#22c55e' }),
    await make('/statuses', { name: 'Do not disturb before noon, ever', color: '#ffff00' }),
  ];
  const sources = [await make('/sources', { name: 'Web shop' })];
  const groups = [
    await make('/groups', { name: 'Newsletter', description: 'Once a month. '.repeat(12) }),
    await make('/groups', { name: longName }),
  ];
  await insertContacts(
    db,
    'tenant_id, firstname, lastname, phone, email, company, city, status_id, source_id',
    sql`
      select ${shop.id}, (array['Ada', 'محمد', '王伟', 'Zoë', ${longName}])[1 + n % 5],
             (array['Lovelace', 'فاطمة', null, 'O’Connor'])[1 + n % 4], '+14155550' || (100 + n),
             case when n % 3 = 0 then ${`${longName.replaceAll(' ', '.')}@example.com`}::text end,
             case when n % 4 = 0 then 'Analytical Engines, Limited' end, 'London',
             (${statuses}::bigint[])[1 + n % 4], case when n % 2 = 0 then ${sources[0]!}::bigint end
      from generate_series(1, 130) as n`,
  );
  await db.query(sql`
    insert into contact_groups (tenant_id, contact_id, group_id)
    select tenant_id, id, group_id from contacts cross join unnest(${groups}::bigint[]) as group_id
    where tenant_id = ${shop.id} and id % 3 = 0`);
}

async function addConversations({ db }: TestApp, shop: TestTenant) {
  await db.query(sql`
    insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status, network_id,
                          error, created_at, sent_at, delivered_at, read_at, failed_at)
    select ${shop.id}, ${shop.number.id}, direction, '+14155550' || (101 + n % 37), 'text',
           json_build_object('text', (array[
             'Hello!', 'Is my *parcel* on its way? https://shop.example/orders/1042?from=' ||
             repeat('a-long-address-', 12), repeat('A longer story of what went wrong. ', 12),
             'شكرا جزيلا', '👍'])[1 + n % 5]),
           case when direction = 'in' then 'received' else status end, 'wamid.filled.' || n,
           case when direction = 'out' and status = 'failed' then json_build_object(
             'code', (array[131026, 131047, 131049])[1 + n % 3], 'title', 'Message undeliverable',
             'details', 'Message failed to send because more than 24 hours have passed since the ' ||
             'customer last replied to this number.') end,
           at, at, at, at, case when status = 'failed' then at end
    from generate_series(1, 900) as n
    cross join lateral (
      select (case when n % 3 = 0 then 'in' else 'out' end)::message_direction as direction,
             (array['read', 'delivered', 'sent', 'failed', 'read', 'delivered',
                    'unknown']::message_status[])[1 + n % 7]
               as status,
             now() - (900 - n) * interval '23 minutes' as at
    ) as known`);
}

async function addBots(shop: TestTenant, { db }: TestApp) {
  await db.query(sql`
    insert into bots (tenant_id, kind, name, active, match, keywords, reply, template_name,
                      template_language, fields)
    values
      (${shop.id}, 'message', 'Opening hours', true, 'contains', '{hours,"when are you open"}',
       'We are open from 9 to 5.', null, null, null),
      (${shop.id}, 'message', ${longName}, false, 'any', '{}', ${'Somebody answers soon. '.repeat(20)},
       null, null, null),
      (${shop.id}, 'template', 'Where is my order?', true, 'starts_with', '{order}', null,
       'a_template_that_is_gone', 'en', '{Ada}')`);
  await db.query(sql`
    insert into bot_answers (tenant_id, inbound_id, phone, state, reason, bot_name, due_at, settled_at)
    select tenant_id, id, phone, (array['sent', 'skipped', 'failed'])[1 + id % 3],
           case when id % 3 = 0 then null else 'The window of 24 hours was closed.' end,
           'Opening hours', null, now()
    from stored_messages where tenant_id = ${shop.id} and direction = 'in' order by id desc limit 12`);
}

async function addTokensAndMembers({ db, services }: TestApp, shop: TestTenant) {
  const add = async (name: string, active: boolean) =>
    (await createToken(db, shop.id, { name, abilities: ['all'], active })).token.id;
  await add(longName, true);
  const expired = await add('Old shop server', true);
  const revoked = await add('Lost laptop', true);
  await add('Not active yet', false);
  await db.query(sql`
    update tokens set expires_at = now() - interval '3 days', last_used_at = now() - interval '4 days',
      seen_in_clear_at = now()
    where tenant_id = ${shop.id} and id = ${expired}`);
  await db.query(sql`
    update tokens set revoked_at = now() where tenant_id = ${shop.id} and id = ${revoked}`);
  await db.query(sql`
    insert into token_usage
    select ${shop.id}, ${shop.tokenId}, current_date - n, 400 + n * 37 % 300, n, n % 3, 200 + n, n, 9
    from generate_series(0, 29) as n
    -- The usage of the requests above may have been added already.
    on conflict (tenant_id, token_id, day) do nothing`);
  await db.query(sql`
    insert into token_days (tenant_id, token_id, day, messages, granted)
    values (${shop.id}, ${shop.tokenId}, (now() at time zone 'utc')::date, 14200, 1)
    on conflict (tenant_id, token_id, day) do update set messages = excluded.messages`);
  await db.query(sql`
    update numbers set problem = 'The access token is refused (network code 190).'
    where tenant_id = ${shop.id}`);
  for (const email of [
    'grace@example.com',
    'a.person.with.a.rather.long.name@subsidiary.of.a.large.company.example.com',
  ]) {
    await inviteMember(services, shop.id, {
      email,
      role: 'staff',
      byOperator: false,
    });
  }
}

async function addAuditEntries({ db }: TestApp, shop: TestTenant) {
  const changes = [
    { field: 'events', before: ['contact.*'], after: ['contact.*', 'message.*', 'template.*'] },
    { field: 'url' },
    { field: 'name', before: 'Tea', after: longName },
  ];
  await db.query(sql`
    insert into audit_entries (tenant_id, at, actor_kind, actor_id, actor_name, actor_email, action,
                               subject_id, subject_name, changes)
    select ${shop.id}, now() - n * interval '1 hour', kind, case when kind = 'member' then 'gone' else '' end,
           case when kind = 'member' then ${longName} end,
           case when kind = 'member' then ${`${'a'.repeat(60)}@example.com`} end,
           (array['webhook.changed', 'token.revoked', 'contacts.exported'])[1 + n % 3],
           n, case when n % 3 < 2 then ${longName} end,
           case when n % 3 = 0 then ${JSON.stringify(changes)}::jsonb else '[]' end
    from generate_series(1, 60) as n
    cross join lateral (select (array['member', 'operator', 'system'])[1 + n % 3] as kind) as actor`);
}

async function addRequests({ db }: TestApp, shop: TestTenant) {
  await db.query(sql`
    insert into api_requests (tenant_id, at, token_id, duration_ms, left_out, status, method, path,
                              request_id, error_code, error_message)
    select ${shop.id}, now(), ${shop.tokenId}, n * 7, case when n = 80 then 1400 else 0 end, status,
           (array['GET', 'POST', 'PUT', 'DELETE'])[1 + n % 4],
           (array['/messages/send', '/contacts?search=' || repeat('a-long-text-', 20)])[1 + n % 2],
           gen_random_uuid(), case when status > 400 then 'validation_failed' end,
           case when status > 400 then repeat('phone_number is not valid. ', 12) end
    from generate_series(1, 80) as n
    cross join lateral (select (array[200, 200, 422, 500])[1 + n % 4] as status) as known`);
}

async function addWebhook({ db, services }: TestApp, shop: TestTenant) {
  const url = `https://hooks.example.com/${'a-long-path/'.repeat(12)}`;
  await setWebhook(services, shop.id, { url });
  await db.query(sql`
    update webhooks set failing_since = now() - interval '2 days' where tenant_id = ${shop.id}`);
  await db.query(sql`
    insert into deliveries (tenant_id, event, body, state, tries, attempts, due_at, reason, finished_at)
    select ${shop.id}, (array['contact.created', 'contact.updated', 'status.deleted'])[1 + n % 3],
           ${JSON.stringify({ event: 'contact.created', data: { id: 1, firstname: longName } })},
           (array['delivered', 'failed', 'waiting']::delivery_state[])[1 + n % 3], 3, 3, now() + interval '1 hour',
           case when n % 3 > 0 then 'It responded with 500 Internal Server Error.' end, now()
    from generate_series(1, 60) as n`);
  await db.query(sql`
    insert into delivery_attempts (tenant_id, delivery_id, number, started_at, duration_ms, status,
                                   reason, answer, next_try_at)
    select tenant_id, id, number, now() - number * interval '1 hour', 140, 500,
           'It responded with 500 Internal Server Error.', repeat('<h1>Something broke</h1>', 20), now()
    from deliveries cross join generate_series(1, 3) as number
    where tenant_id = ${shop.id}`);
}

async function addStores({ db, services }: TestApp, shop: TestTenant): Promise<number> {
  const { store } = await createStore(services, shop.id, {
    platform: 'woocommerce',
    name: 'Tea shop',
  });
  await createStore(services, shop.id, { platform: 'shopify', name: longName });
  const order = {
    id: 1042,
    number: '1042',
    billing: { first_name: 'Ada', last_name: longName, phone: '+14155550123', country: 'US' },
    line_items: Array.from({ length: 12 }, (_, index) => ({
      name: `Tea no. ${index}`,
      total: '9.50',
    })),
    note: 'Please ring twice. '.repeat(30),
  };
  const headers = JSON.stringify({
    'x-wc-webhook-topic': 'order.created',
    'user-agent': 'WooCommerce',
  });
  for (let each = 0; each < 40; each++) {
    await db.query(sql`
      insert into store_events (tenant_id, store_id, dedup_key, topic, headers, body, received_at,
                                state, reason, attempts, processed_at, due_at)
      values (${shop.id}, ${store.id}, ${randomBytes(16)},
              ${each % 5 === 4 ? null : ['order.created', 'customer.created'][each % 2]}, ${headers},
              ${Buffer.from(JSON.stringify(order))}, now() - ${each}::int * interval '1 hour',
              ${['done', 'failed', 'skipped', 'nothing_to_do'][each % 4]},
              ${each % 4 === 0 ? null : 'The phone "0170 / 12 34" is no number of its country.'}, 1,
              now(), null)`);
  }
  await db.query(sql`
    insert into store_hours (tenant_id, store_id, hour, verified, repeated, refused, done, skipped,
                             failed, messages_sent, last_seen_at, last_refusal)
    select ${shop.id}, ${store.id}, date_trunc('hour', now()) - n * interval '1 hour', 20 + n % 7,
           n % 3, n % 2, 15 + n % 5, 3, n % 4, 12, now(), 'the signature is wrong'
    from generate_series(0, 200) as n`);
  return store.id;
}
