import sql, { raw } from 'sql-template-tag';
import type { Scene } from './scene.ts';

/** Tables in which nobody else may change the victim's rows. */
const tables = [
  'contacts',
  'statuses',
  'sources',
  'groups',
  'contact_groups',
  'bots',
  'stores',
  'numbers',
  'messages',
];

/** The daily check of a number, which the service does by itself. */
const checks = ['checked_at', 'check_due_at', 'known_state'];

/** Hashes the victim’s rows by table, to detect changes by an attack on other tenants. */
export async function fingerprint({ services, victim }: Scene): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const table of tables) {
    const { rows } = await services.db.query<{ hash: string }>(sql`
      select coalesce(md5(string_agg(row, '|' order by row)), '') as hash
      from (
        select (to_jsonb(t) - ${checks}::text[])::text as row
        from ${raw(table)} t where tenant_id = ${victim.id}
      ) as rows`);
    hashes.set(table, rows[0]!.hash);
  }
  return hashes;
}
