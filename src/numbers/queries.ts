import sql, { raw, type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { statement } from '../platform/database/statement.ts';
import type { Fault } from '../platform/errors/fault.ts';
import type { NumberFault } from './checking/check.ts';
import type { Hearing } from './state/record-heard.ts';

export type NumberRow = {
  tenant_id: number;
  id: number;
  phone_number_id: string;
  business_account_id: string;
  display_phone_number: string | null;
  access_token: Buffer | null;
  app_secret: Buffer | null;
  callback_id: string;
  verify_token: string;
  simulator: boolean;
  messages_per_second: number | null;
  problem: string | null;
  problem_says: Fault | null;
  /** At most one of a tenant. `default-number.ts` says which number sends without one. */
  is_default: boolean;
  /** Whether marketing templates go to the network's endpoint for them. */
  marketing_endpoint: boolean;
  created_at: Date;
  /** The name that people see. */
  verified_name: string | null;
  /** Found by the last check. */
  faults: NumberFault[];
  checked_at: Date | null;
  /** Null for an access token that never ends, or if that is not known. */
  token_expires_at: Date | null;
  /** When the first message arrived, which proves that callbacks do. */
  received_at: Date | null;
  /** When the network last reported anything, to the minute. */
  heard_at: Date | null;
  /** Whether that was less than a minute ago, and less than a day. */
  heard_this_minute: boolean;
  heard_today: boolean;
  /** When it sent a message since which nothing was heard, and how long ago that is. */
  unheard_since: Date | null;
  unheard_minutes: number | null;
};

/** Messages a second of a number that is also in the WhatsApp Business app. */
const appRate = raw('20');

/** The columns of a `NumberRow`. */
export const numberColumns: Sql = sql`tenant_id, id, phone_number_id, business_account_id, display_phone_number,
  access_token, app_secret, callback_id, verify_token, simulator, 
  case when in_app then least(coalesce(messages_per_second, ${appRate}), ${appRate}) else messages_per_second end
    as messages_per_second, problem, problem_says,
  is_default, marketing_endpoint, created_at, verified_name, faults, checked_at, token_expires_at, received_at, heard_at,
  coalesce(heard_at > now() - interval '1 minute', false) as heard_this_minute,
  coalesce(heard_at > now() - interval '1 day', false) as heard_today, unheard_since,
  extract(epoch from now() - unheard_since)::float8 / 60 as unheard_minutes`;

export async function findNumberByCallback(
  db: Db,
  callbackId: string,
): Promise<NumberRow | undefined> {
  const { rows } = await db.query<NumberRow>(
    statement(
      'find-number-by-callback',
      sql`
        select ${numberColumns} from numbers
        where callback_id = ${callbackId} and disconnected_at is null`,
    ),
  );
  return rows[0];
}

/** Finds a tenant's numbers by the network's ids, also disconnected ones. */
export async function findHearings(
  db: Db,
  tenantId: number,
  phoneNumberIds: string[],
): Promise<Map<string, Hearing>> {
  const { rows } = await db.query<NumberRow>(sql`
    select ${numberColumns} from numbers
    where tenant_id = ${tenantId} and phone_number_id = any(${phoneNumberIds})`);
  return new Map(rows.map((row) => [row.phone_number_id, hearingOf(row)]));
}

/** Returns the `Hearing` of a row. */
export function hearingOf(row: NumberRow): Hearing {
  return {
    id: row.id,
    isProven: row.received_at !== null,
    isHeardThisMinute: row.heard_this_minute,
    isUnheard: row.unheard_since !== null,
    failedAt: row.faults.find(({ name }) => name === 'failures')?.at ?? null,
  };
}

/** Lists the connected numbers of a tenant, the oldest first. */
export async function listNumbers(db: Db, tenantId: number): Promise<NumberRow[]> {
  const { rows } = await db.query<NumberRow>(
    statement(
      'list-numbers',
      sql`
        select ${numberColumns} from numbers
        where tenant_id = ${tenantId} and disconnected_at is null order by id`,
    ),
  );
  return rows;
}

/** Makes a number the default of its tenant. The caller holds the tenant's lock. */
export async function setDefaultNumber(tx: Db, tenantId: number, id: number): Promise<void> {
  // One statement could set the new one before it clears the old one, which the index does not allow.
  await tx.query(sql`
    update numbers set is_default = false
    where tenant_id = ${tenantId} and is_default and id <> ${id}`);
  await tx.query(sql`
    update numbers set is_default = true where tenant_id = ${tenantId} and id = ${id}`);
}

/** Switches the network's endpoint for marketing templates on or off for a number. */
export async function setMarketingEndpoint(
  db: Db,
  tenantId: number,
  id: number,
  isOn: boolean,
): Promise<void> {
  await db.query(sql`
    update numbers set marketing_endpoint = ${isOn}
    where tenant_id = ${tenantId} and id = ${id}`);
}

/** Lists the simulated numbers of all tenants, which the simulator needs after a restart. */
export async function listSimulatedNumbers(db: Db): Promise<NumberRow[]> {
  const { rows } = await db.query<NumberRow>(sql`
    select ${numberColumns} from numbers where simulator and disconnected_at is null
    order by tenant_id, id`);
  return rows;
}
