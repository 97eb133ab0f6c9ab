import sql from 'sql-template-tag';
import { secretContext } from '../src/numbers/find-number.ts';
import type { Services } from '../src/services.ts';
import { insertContacts } from '../test/features/insert-contacts.ts';
import { indexAllTexts } from './seed-contacts.ts';

/**
 * Inserts tenants that have been used and are idle now: each with a token, a number, a webhook with old
 * deliveries, a store with old posts, contacts and messages. Their template syncs are spread over a day.
 */
export async function seedIdleTenants(services: Services, count: number): Promise<void> {
  const { db } = services;
  const run = (text: string) => db.pool.query(text);
  await run(`
    insert into tenants (slug, name, plan, api_access)
    select 'idle-' || n, 'Idle ' || n, 'starter', true from generate_series(1, ${count}) as n`);
  await run(`
    insert into tokens (tenant_id, name, hash, hint, abilities, activated_at)
    select id, 'idle', sha256(slug::bytea), 'idle', '{contacts:read}', now() from tenants`);
  await run(`
    insert into token_days (tenant_id, token_id, day, messages, granted)
    select tenant_id, id, current_date - day, 3, 3
    from tokens cross join generate_series(8, 12) as day`);
  await run(`
    insert into message_outcomes (tenant_id, day, outcome, code, messages)
    select id, current_date - day, 'delivered', -1, 3
    from tenants cross join generate_series(8, 12) as day`);
  await seedNumbers(services);
  await run(`
    insert into template_syncs (tenant_id, due_at)
    select id, now() + random() * interval '1 day' from tenants`);
  await run(`
    insert into webhooks (tenant_id, url, events, secret)
    select id, 'https://example.com/', '{contact.created}', 'secret'::bytea from tenants`);
  await run(`
    insert into deliveries (tenant_id, event, body, state, created_at, finished_at)
    select id, 'contact.created', '{}', 'delivered', now() - interval '10 days', now()
    from tenants cross join generate_series(1, 3)`);
  await run(`
    insert into delivery_usage (tenant_id, measured_id, kept_bytes)
    select tenant_id, max(id), 6 from deliveries group by tenant_id`);
  await run(`
    insert into stores (tenant_id, webhook_id, platform, name)
    select id, md5(slug), 'custom', 'Idle' from tenants`);
  await run(`
    insert into store_events (tenant_id, store_id, dedup_key, headers, body, received_at, state, due_at)
    select tenant_id, id, sha256((id || ' ' || n)::bytea), '{}', '{}', now() - interval '10 days', 'done', null
    from stores cross join generate_series(1, 3) as n`);
  await insertContacts(
    db,
    'tenant_id, firstname, phone',
    sql`select id, 'Ann', '+14155551001' from tenants order by id`,
  );
  await indexAllTexts(services);
  await run(`
    insert into messages (tenant_id, number_id, direction, person, kind, content, created_at)
    select tenant_id, id, 'out', '+14155551001', 'text', '{"text":"Hello"}',
           now() - interval '10 days'
    from numbers cross join generate_series(1, 3)`);
  await run(`
    insert into message_states (tenant_id, message_id, created_at, status)
    select tenant_id, id, created_at, 'delivered' from messages`);
  await run(`
    update message_walks set
      done_to = pg_sequence_last_value('messages_id_seq'),
      noted_id = pg_sequence_last_value('messages_id_seq')`);
  await run('vacuum analyze');
}

async function seedNumbers({ db, vault }: Pick<Services, 'db' | 'vault'>): Promise<void> {
  const { rows } = await db.pool.query<{ id: number }>('select id from tenants');
  const ids = rows.map(({ id }) => id);
  const sealed = (kind: 'access-token' | 'app-secret') =>
    ids.map((id) => vault.seal('secret', secretContext(id, kind)));
  await db.query(sql`
    insert into numbers (tenant_id, phone_number_id, business_account_id, access_token, app_secret,
                         callback_id, verify_token)
    select tenant_id, '1', '1', access_token, app_secret, md5('number ' || tenant_id), 'verify'
    from unnest(${ids}::bigint[], ${sealed('access-token')}::bytea[], ${sealed('app-secret')}::bytea[])
      as number (tenant_id, access_token, app_secret)`);
}
