/** Tables with some rows for each tenant, whose indexes are built in a moment. Any other one may have millions. */
const small = [
  'bots',
  'contact_bulk_changes',
  'contact_imports',
  'delivery_usage',
  'event_logs',
  'groups',
  'invitations',
  'kept_file_totals',
  'members',
  'message_walks',
  'numbers',
  'schema_compatibility',
  'send_rates',
  'sources',
  'statuses',
  'stores',
  'store_topics',
  'templates',
  'template_syncs',
  'tenants',
  'tenant_moves',
  'tokens',
  'webhooks',
];

const createdTable = /\bcreate table (?:if not exists )?([\w."]+)/g;
const createdIndex =
  /\bcreate (?:unique )?index (?!concurrently\b)(?:if not exists )?(?:(?!on )\w+ )?on (?:only )?([\w."]+)/g;
const alteredTable = /\balter table (?:if exists )?(?:only )?([\w."]+)([^;]*)/g;
/** Constraints that build an index. With `using index` they take one that was built before. */
const addedKey = /\b(?:unique|primary key|exclude)\b(?! using index)/;

/**
 * Finds the tables to which nobody could write for long while a migration builds an index: it does so neither
 * concurrently nor on a table that is new or stays small.
 */
export function findBlocking(migration: string): string[] {
  const lines = migration.split('\n').map((line) => line.replace(/--.*/, ''));
  const text = lines.join(' ').toLowerCase().replace(/\s+/g, ' ');
  const known = [...small, ...Array.from(text.matchAll(createdTable), ([, name]) => name!)];
  const built = Array.from(text.matchAll(createdIndex), ([, name]) => name!);
  const altered = Array.from(text.matchAll(alteredTable))
    .filter(([, , change]) => addedKey.test(change!))
    .map(([, name]) => name!);
  return [...built, ...altered].filter((name) => !known.includes(name));
}
