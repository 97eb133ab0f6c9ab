import sql, { raw } from 'sql-template-tag';
import type { Scene } from './scene.ts';

/** Tables whose rows of the victim nobody else may change. */
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

/** A hash over the victim's rows, to see whether an attack on other tenants has touched them. */
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
