import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { type NumberRow, numberColumns } from '../queries.ts';

/**
 * Inserts a number, or connects it again with new secrets if the tenant had it before.
 *
 * @returns undefined if the tenant has `max` other connected numbers
 */
export async function upsertNumber(
  db: Db,
  tenantId: number,
  number: {
    phoneNumberId: string;
    businessAccountId: string;
    displayPhoneNumber: string | null;
    accessToken: Buffer;
    appSecret: Buffer;
    callbackId: string;
    verifyToken: string;
    simulator: boolean;
  },
  max: number,
): Promise<NumberRow | undefined> {
  const { rows } = await db.query<NumberRow>(sql`
    insert into numbers (tenant_id, phone_number_id, business_account_id, display_phone_number,
                         access_token, app_secret, callback_id, verify_token, simulator, check_due_at)
    select ${tenantId}::bigint, ${number.phoneNumberId}, ${number.businessAccountId},
           ${number.displayPhoneNumber}, ${number.accessToken}::bytea, ${number.appSecret}::bytea,
           ${number.callbackId}, ${number.verifyToken}, ${number.simulator}::boolean,
           now() + interval '2 minutes'
    where (
      select count(*) from numbers
      where tenant_id = ${tenantId} and disconnected_at is null
        and phone_number_id <> ${number.phoneNumberId}
    ) < ${max}
    on conflict (tenant_id, phone_number_id) do update set
      business_account_id = excluded.business_account_id,
      display_phone_number = coalesce(excluded.display_phone_number, numbers.display_phone_number),
      access_token = excluded.access_token,
      app_secret = excluded.app_secret,
      simulator = excluded.simulator,
      problem = null,
      faults = '[]',
      checked_at = null,
      token_expires_at = null,
      check_due_at = excluded.check_due_at,
      received_at = null,
      heard_at = null,
      unheard_since = null,
      disconnected_at = null
    returning ${numberColumns}`);
  return rows[0];
}

/** Marks a number as disconnected and deletes its secrets; its messages stay. */
export async function markDisconnected(
  db: Db,
  tenantId: number,
  phoneNumberId: string,
): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update numbers
    set disconnected_at = now(), access_token = null, app_secret = null, is_default = false
    where tenant_id = ${tenantId} and phone_number_id = ${phoneNumberId}
      and disconnected_at is null`);
  return rowCount === 1;
}

/**
 * Stores what the network returned about a number.
 *
 * @param details `messagesPerSecond` is null for the default
 */
export async function setNumberDetails(
  db: Db,
  tenantId: number,
  id: number,
  details: {
    displayPhoneNumber: string | null;
    messagesPerSecond: number | null;
    verifiedName: string | null;
  },
): Promise<void> {
  const { displayPhoneNumber, messagesPerSecond, verifiedName } = details;
  await db.query(sql`
    update numbers set
      display_phone_number = ${displayPhoneNumber}, messages_per_second = ${messagesPerSecond},
      verified_name = coalesce(${verifiedName}, verified_name)
    where tenant_id = ${tenantId} and id = ${id}
      and (display_phone_number, messages_per_second, verified_name)
        is distinct from (${displayPhoneNumber}::text, ${messagesPerSecond}::int,
          coalesce(${verifiedName}::text, verified_name))`);
}
