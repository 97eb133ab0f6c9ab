import type pg from 'pg';
import { arrivalName } from '../../backup/tenants/insert-tenant.ts';

/**
 * Returns the oldest transaction that the snapshot of this connection may not see. Those of other databases, and those
 * that write a tenant which arrives here, can be under way for minutes. They write nothing that is copied.
 */
export async function oldestTransaction(reader: pg.ClientBase): Promise<string> {
  const { rows } = await reader.query<{ oldest: string }>(
    `select coalesce(
       (select running from pg_snapshot_xip(pg_current_snapshot()) as running
        where not exists (
          select from pg_stat_activity
          where backend_xid = running::xid and (datname <> current_database() or application_name = $1))
        order by running limit 1),
       pg_snapshot_xmax(pg_current_snapshot()))::text as oldest`,
    [arrivalName],
  );
  return rows[0]!.oldest;
}
