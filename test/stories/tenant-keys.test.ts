import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../database/database.ts';

/** Tables of the whole installation, which stay when a tenant moves. Those of `auth` are accounts. */
const ofInstallation: Record<string, string> = {
  migrations: 'the schema',
  schema_compatibility: 'the schema',
  tenants: 'its id is the tenant',
  password_attempts: 'by account and client address',
  message_walks: 'the positions of background jobs',
  media_folders: 'the folders of the processes',
};

/** Unique and foreign keys of tenants' tables that do not begin with the tenant. */
const exceptions: Record<string, string> = {
  numbers_callback_id_key: 'a callback URL names no tenant; random',
  stores_webhook_id_key: 'a store URL names no tenant; random',
  invitations_token_hash_key: 'the link of an invitation names no tenant; random',
  members_user_id_fkey: 'a person has one account for several tenants',
};

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function names(query: string): Promise<string[]> {
  const { rows } = await database.db.pool.query<{ name: string }>(query);
  return rows.map(({ name }) => name);
}

const tables = `
  (select pg_class.oid, relname, nspname,
          (select attnum from pg_attribute
           where attrelid = pg_class.oid and attname = 'tenant_id') as tenant_id
   from pg_class join pg_namespace on pg_namespace.oid = relnamespace
   where relkind in ('r', 'p') and nspname in ('public', 'auth')) as tables`;

test('every table has a primary key', async () => {
  const without = await names(`
    select relname as name from ${tables}
    where not exists (select from pg_index where indrelid = oid and indisprimary)`);
  expect(without).toEqual([]);
});

test('every table belongs to tenants, except for those of the whole installation', async () => {
  const without = await names(`
    select relname as name from ${tables} where tenant_id is null and nspname <> 'auth'`);
  expect(without.sort()).toEqual(Object.keys(ofInstallation).sort());
});

test('every key of a tenant’s table begins with the tenant', async () => {
  const unique = await names(`
    select index.relname as name
    from ${tables}
    join pg_index on indrelid = tables.oid
    join pg_class as index on index.oid = indexrelid
    where tenant_id is not null and indisunique and indkey[0] <> tenant_id`);
  const foreign = await names(`
    select conname as name
    from ${tables} join pg_constraint on conrelid = tables.oid
    where tenant_id is not null and contype = 'f'
      and (conkey[1] <> tenant_id or confrelid <> 'tenants'::regclass and confkey[1] <> (
        select attnum from pg_attribute where attrelid = confrelid and attname = 'tenant_id'))`);
  expect([...unique, ...foreign].sort()).toEqual(Object.keys(exceptions).sort());
});

test('a table whose old rows are deleted is vacuumed before a twentieth of it is dead', async () => {
  const pruned = `array[
    'messages', 'message_states', 'message_outcome_changes', 'conversations', 'deliveries', 'delivery_attempts',
    'store_events', 'events', 'event_outbox', 'api_requests', 'bot_answers', 'idempotency_keys', 'erasures',
    'audit_entries']`;
  const late = await names(`
    select relname as name
    from ${tables} join unnest(${pruned}) as relname using (relname)
    where not exists (
      select from pg_class as class, pg_options_to_table(class.reloptions)
      where class.oid = tables.oid and option_name = 'autovacuum_vacuum_scale_factor'
        and option_value::float8 <= 0.05)`);
  expect(late).toEqual([]);
});
