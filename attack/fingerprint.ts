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

/** Hashes the victim’s rows by table, to detect changes by an attack on other tenants. */
export async function fingerprint({ services, victim }: Scene): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const table of tables) {
    const { rows } = await services.db.query<{ hash: string }>(sql`
      select coalesce(md5(string_agg(row, '|' order by row)), '') as hash
      from (
        -- The service notes by itself in which state it last saw a number, and checks it after a wrong signature.
        select (to_jsonb(t) - 'known_state' - 'check_due_at')::text as row
        from ${raw(table)} t where tenant_id = ${victim.id}
      ) as rows`);
    hashes.set(table, rows[0]!.hash);
  }
  return hashes;
}
