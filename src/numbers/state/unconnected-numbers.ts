import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { isHeld } from '../../platform/jobs/is-held.ts';

/** More than a tenant has numbers; a tenant can sign a callback about any number. */
const maxOfTenant = 100;

/** What the network reports about a number that the tenant has not connected. */
export type UnconnectedReport = {
  phoneNumberId: string;
  displayPhoneNumber: string | null;
  reports: number;
};

export type UnconnectedRow = {
  phone_number_id: string;
  display_phone_number: string | null;
  /** Messages and statuses that were lost. */
  reports: number;
  first_at: Date;
  last_at: Date;
};

/** SQL of whether the number of a row was reported lately. The network repeats a callback for seven days. */
const isRecent: Sql = sql`unconnected_numbers.last_at > now() - interval '7 days'`;

/**
 * SQL of whether the reports about the number of a row of `unconnected_numbers` are lost now. A callback that was read
 * just before the number was connected is counted after that.
 */
export const isLost: Sql = sql`${isRecent} and not exists (
  select from numbers
  where numbers.tenant_id = unconnected_numbers.tenant_id
    and numbers.phone_number_id = unconnected_numbers.phone_number_id and disconnected_at is null)`;

/** Counts reports about numbers that a tenant has not connected. After a week without any, the count begins again. */
export async function countUnconnected(
  db: Db,
  tenantId: number,
  reports: UnconnectedReport[],
): Promise<void> {
  // Otherwise numbers of earlier times would leave no room for others.
  await db.query(sql`
    delete from unconnected_numbers where tenant_id = ${tenantId} and not ${isRecent}`);
  await db.query(sql`
    insert into unconnected_numbers
      (tenant_id, phone_number_id, display_phone_number, reports, first_at, last_at)
    select ${tenantId}::bigint, counted.*, now(), now()
    from ${rowsOf('counted', reports, {
      phone_number_id: ['text', ({ phoneNumberId }) => phoneNumberId],
      display_phone_number: ['text', ({ displayPhoneNumber }) => displayPhoneNumber],
      reports: ['bigint', ({ reports }) => reports],
    })}
    where (select count(*) from unconnected_numbers where tenant_id = ${tenantId}) < ${maxOfTenant}
      or exists (
        select from unconnected_numbers
        where tenant_id = ${tenantId} and phone_number_id = counted.phone_number_id)
    order by counted.phone_number_id
    limit ${maxOfTenant}
    on conflict (tenant_id, phone_number_id) do update set
      display_phone_number =
        coalesce(excluded.display_phone_number, unconnected_numbers.display_phone_number),
      reports = excluded.reports + unconnected_numbers.reports,
      last_at = excluded.last_at`);
}

/** Forgets that a number was not connected: it is now. */
export async function forgetUnconnected(
  db: Db,
  tenantId: number,
  phoneNumberId: string,
): Promise<void> {
  await db.query(sql`
    delete from unconnected_numbers
    where tenant_id = ${tenantId} and phone_number_id = ${phoneNumberId}`);
}

/** Lists the numbers that a tenant has not connected, whose reports are lost. */
export async function listUnconnected(db: Db, tenantId: number): Promise<UnconnectedRow[]> {
  const { rows } = await db.query<UnconnectedRow>(sql`
    select phone_number_id, display_phone_number, reports, first_at, last_at
    from unconnected_numbers
    where tenant_id = ${tenantId} and ${isLost} order by phone_number_id`);
  return rows;
}

/** Lists such numbers of all tenants, except copies of tenants that serve in another cell. */
export async function listAllUnconnected(
  db: Db,
): Promise<{ tenant: string; phone: string; reports: number; since: string }[]> {
  const { rows } = await db.query<{
    tenant: string;
    phone: string;
    reports: number;
    since: string;
  }>(sql`
    select slug as tenant, coalesce(display_phone_number, phone_number_id) as phone, reports,
           to_char(first_at, 'YYYY-MM-DD') as since
    from unconnected_numbers join tenants on tenants.id = tenant_id
    where ${isLost} and not ${isHeld(sql`unconnected_numbers.tenant_id`)}
    order by slug, phone_number_id`);
  return rows;
}
