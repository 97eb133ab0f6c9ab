import sql, { raw, type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { statement } from '../platform/database/statement.ts';
import type { Fault } from '../platform/errors/fault.ts';
import { isHeld } from '../platform/jobs/is-held.ts';
import type { NumberFault } from './checking/check.ts';
import { numberProblem } from './number-problem.ts';
import type { Hearing } from './record-heard.ts';

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

const columns: Sql = sql`tenant_id, id, phone_number_id, business_account_id, display_phone_number,
  access_token, app_secret, callback_id, verify_token, simulator, 
  case when in_app then least(coalesce(messages_per_second, ${appRate}), ${appRate}) else messages_per_second end
    as messages_per_second, problem, problem_says,
  is_default, marketing_endpoint, created_at, verified_name, faults, checked_at, received_at, heard_at,
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
        select ${columns} from numbers
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
    select ${columns} from numbers
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
        select ${columns} from numbers
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
    select ${columns} from numbers where simulator and disconnected_at is null
    order by tenant_id, id`);
  return rows;
}

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
      check_due_at = excluded.check_due_at,
      received_at = null,
      heard_at = null,
      unheard_since = null,
      disconnected_at = null
    returning ${columns}`);
  return rows[0];
}

/** Lists the numbers of all tenants that have a problem, except copies of tenants that serve in another cell. */
export async function listNumberProblems(
  db: Db,
  silenceMinutes: number,
): Promise<{ tenant: string; phone: string; problem: string }[]> {
  const { rows } = await db.query<{ tenant: string; phone: string; problem: string }>(sql`
    select slug as tenant, coalesce(display_phone_number, phone_number_id) as phone,
           ${numberProblem(silenceMinutes)} as problem
    from numbers join tenants on tenants.id = tenant_id
    where ${numberProblem(silenceMinutes)} is not null and disconnected_at is null
      and not ${isHeld(sql`numbers.tenant_id`)}
    order by slug, numbers.id`);
  return rows;
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

/**
 * Stores the problem of a number, or null.
 *
 * @returns whether it changed
 */
export async function setNumberProblem(
  db: Db,
  tenantId: number,
  id: number,
  problem: Fault | null,
): Promise<boolean> {
  const text = problem?.text ?? null;
  const { rowCount } = await db.query(sql`
    update numbers set problem = ${text}, problem_says = ${problem && JSON.stringify(problem)}::jsonb
    where tenant_id = ${tenantId} and id = ${id} and problem is distinct from ${text}`);
  return rowCount === 1;
}

/** Clears the problem of a number, unless it has another one by now. */
export async function clearNumberProblem(
  db: Db,
  tenantId: number,
  id: number,
  problem: string,
): Promise<void> {
  await db.query(sql`
    update numbers set problem = null
    where tenant_id = ${tenantId} and id = ${id} and problem = ${problem}`);
}
