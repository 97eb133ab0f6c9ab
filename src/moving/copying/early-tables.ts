import type { Table } from '../../backup/tables/describe-tables.ts';

/**
 * The tables that can have many rows of a tenant, and the small ones that these refer to. They are copied while the
 * tenant serves, and only what has changed since is copied while it is held.
 */
const earlyTables = new Set([
  'api_requests',
  'audit_entries',
  'bot_answers',
  'contact_groups',
  'contacts',
  'conversation_aliases',
  'conversation_sequences',
  'conversation_windows',
  'conversations',
  'deliveries',
  'delivery_attempts',
  'earlier_conversations',
  'erasures',
  'events',
  'former_phones',
  'groups',
  'idempotency_keys',
  'identity_merges',
  'message_states',
  'messages',
  'new_search_texts',
  'numbers',
  'search_texts',
  'sources',
  'statuses',
  'store_events',
  'store_hours',
  'store_resources',
  'stores',
  'tokens',
  'webhooks',
]);

export function isCopiedEarly({ name }: Table): boolean {
  return earlyTables.has(name);
}

/**
 * Columns of early tables that refer to a table which is copied in the hold. They are null until then: accounts of
 * members would otherwise be locked in the other cell for minutes.
 */
export const lateColumns: Record<string, string> = { conversations: 'assignee' };

/** Returns the early ones of some tables, without their late columns. */
export function earlyPartOf(tables: Table[]): Table[] {
  return tables.filter(isCopiedEarly).map(({ name, columns }) => ({
    name,
    columns: columns.filter((column) => column !== lateColumns[name]),
  }));
}

/**
 * Columns of early tables with unique values that can pass from one row to another, such as a phone. Each has the
 * expression that takes the place of an outdated value until the later rows are written.
 */
export const passedOn: Record<string, Record<string, string>> = {
  contacts: { phone: 'null', user_id: 'null', external_id: 'null' },
  groups: { name: 'gen_random_uuid()', deleted_at: 'now()' },
  numbers: { phone_number_id: 'gen_random_uuid()', is_default: 'false' },
  sources: { name: 'gen_random_uuid()', deleted_at: 'now()' },
  statuses: { name: 'gen_random_uuid()', deleted_at: 'now()' },
  webhooks: { name: 'gen_random_uuid()' },
};
