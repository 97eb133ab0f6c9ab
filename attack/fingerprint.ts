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

/** Hashes the victim’s rows, to detect changes by an attack on other tenants. */
export async function fingerprint({ services, victim }: Scene): Promise<string> {
  const parts: string[] = [];
  for (const table of tables) {
    const { rows } = await services.db.query<{ hash: string }>(sql`
      select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as hash
      from ${raw(table)} t where tenant_id = ${victim.id}`);
    parts.push(`${table}:${rows[0]?.hash}`);
  }
  return parts.join(' ');
}
