import { expect, test } from 'vitest';
import { testApp } from '../../../test/program/app.ts';
import { notOfTenants } from '../../backup/format.ts';
import { describeTables } from '../../backup/tables/describe-tables.ts';
import { isCopiedEarly, lateColumns, passedOn } from './early-tables.ts';

const place = testApp();

test('a table that can have many rows of a tenant is copied before its writes are held', async () => {
  const tables = await describeTables(place.db.pool);
  const inHold = tables.filter(
    (table) => !isCopiedEarly(table) && !Object.hasOwn(notOfTenants, table.name),
  );
  // Each has few rows for a tenant, or rows that live for seconds.
  expect(inHold.map(({ name }) => name).toSorted()).toEqual([
    'bots',
    'contact_bulk_changes',
    'contact_counts',
    'contact_imports',
    'delivery_usage',
    'event_batches',
    'event_logs',
    'event_outbox',
    'gathered_messages',
    'invitations',
    'media_uploads',
    'members',
    'message_outcome_changes',
    'message_outcomes',
    'new_aliases',
    'rejected_events',
    'send_rates',
    'store_topics',
    'template_syncs',
    'templates',
    'token_days',
    'token_usage',
    'unconnected_numbers',
  ]);
});

test('a table that is copied early refers to others that are, or not until the hold', async () => {
  const { rows } = await place.db.pool.query<{ name: string; other: string; columns: string[] }>(
    `select conrelid::regclass::text as name, confrelid::regclass::text as other,
            array(select attname::text from pg_attribute
                  where attrelid = conrelid and attnum = any(conkey) and attname <> 'tenant_id') as columns
     from pg_constraint where contype = 'f'`,
  );
  const isEarly = (name: string) => isCopiedEarly({ name, columns: [] });
  const late = rows.filter(
    ({ name, other }) => isEarly(name) && other !== 'tenants' && !isEarly(other),
  );
  expect(late).toEqual(
    Object.entries(lateColumns).map(([name, column]) => ({
      ...{ name, other: 'members', columns: [column] },
    })),
  );
});

test('a unique value that can pass from one row to another keeps no later row from the copy', async () => {
  const { rows } = await place.db.pool.query<{ table: string; name: string; definition: string }>(
    `select indrelid::regclass::text as table, indexrelid::regclass::text as name,
            pg_get_indexdef(indexrelid) as definition
     from pg_index where indisunique and not indisprimary`,
  );
  const unknown = rows.filter(
    ({ table, definition }) =>
      isCopiedEarly({ name: table, columns: [] }) &&
      !Object.keys(passedOn[table] ?? {}).some((column) => definition.includes(column)),
  );
  // These belong to their row as long as it exists.
  expect(unknown.map(({ name }) => name).toSorted()).toEqual([
    'idempotency_keys_run',
    'message_states_network_id',
    'messages_run',
    'numbers_callback_id_key',
    'store_events_dedup',
    'stores_webhook_id_key',
    'tokens_internal',
    'tokens_tenant_id_hash_key',
  ]);
});
