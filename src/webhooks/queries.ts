import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import type { Fault } from '../platform/errors/fault.ts';
import { isHeld } from '../platform/jobs/is-held.ts';
import { notifyTopic } from '../tenants/watched-topics.ts';
import { type Endpoint, endpointKeyOf } from './endpoint-key.ts';
import type { EventChoice } from './schema.ts';

export type WebhookRow = {
  tenant_id: number;
  id: number;
  name: string;
  url: string;
  events: EventChoice;
  /** Filters of message events; null for all. */
  number_ids: number[] | null;
  kinds: string[] | null;
  causes: string[] | null;
  ordered: boolean;
  gather_seconds: number | null;
  /** Sealed. */
  headers: Buffer | null;
  failing_since: Date | null;
  paused_since: Date | null;
  off_since: Date | null;
  off_reason: string | null;
  off_says: Fault | null;
  /** The previous secret also signs until then. */
  previous_secret_until: Date | null;
  created_at: Date;
};

/** The choices of a tenant for an endpoint. */
export type WebhookColumns = Partial<
  Pick<
    WebhookRow,
    | 'name'
    | 'url'
    | 'events'
    | 'number_ids'
    | 'kinds'
    | 'causes'
    | 'ordered'
    | 'gather_seconds'
    | 'headers'
  >
>;

export type SealedSecrets = {
  tenant_id: number;
  webhook_id: number;
  secret: Buffer;
  /** Null unless it still signs, for a day after a rotation. */
  previous_secret: Buffer | null;
  /** The additional headers of the endpoint. */
  headers: Buffer | null;
};

// As float8, because the driver reads bigint arrays as texts.
const columns: Sql = sql`tenant_id, id, name, url, events, number_ids::float8[] as number_ids, kinds, causes, ordered, gather_seconds,
  headers, failing_since, paused_since, off_since, off_reason, off_says, previous_secret_until, created_at`;

const isEndpoint = ({ tenantId, webhookId }: Endpoint): Sql =>
  sql`tenant_id = ${tenantId} and id = ${webhookId}`;

type SwitchedOff = { tenant: string; endpoint: string; off_since: Date; off_reason: string };

/**
 * Lists the endpoints that Parley has switched off, with the slug of their tenant. Copies of tenants that serve in another
 * cell do not count.
 */
export async function listSwitchedOff(db: Db): Promise<SwitchedOff[]> {
  const { rows } = await db.query<SwitchedOff>(sql`
    select tenants.slug as tenant, webhooks.name as endpoint, off_since, off_reason
    from webhooks
    join tenants on tenants.id = tenant_id
    where off_reason is not null and not ${isHeld(sql`webhooks.tenant_id`)}
    order by off_since desc, tenants.slug, webhooks.id`);
  return rows;
}

/** Notifies the dashboards of the tenant, and the delivering processes. */
const changed: Sql = sql`
  ${notifyTopic('webhook', sql`webhooks.tenant_id`)},
  pg_notify('deliveries', ${endpointKeyOf(sql`webhooks.tenant_id`, sql`webhooks.id`)})`;

export async function findWebhook(db: Db, endpoint: Endpoint): Promise<WebhookRow | undefined> {
  const { rows } = await db.query<WebhookRow>(sql`
    select ${columns} from webhooks where ${isEndpoint(endpoint)}`);
  return rows[0];
}

export async function findWebhookByName(
  db: Db,
  tenantId: number,
  name: string,
): Promise<WebhookRow | undefined> {
  const { rows } = await db.query<WebhookRow>(sql`
    select ${columns} from webhooks where tenant_id = ${tenantId} and lower(name) = lower(${name})`);
  return rows[0];
}

/** Lists the endpoints of a tenant, the oldest first. */
export async function listWebhooks(db: Db, tenantId: number): Promise<WebhookRow[]> {
  const { rows } = await db.query<WebhookRow>(sql`
    select ${columns} from webhooks where tenant_id = ${tenantId} order by id`);
  return rows;
}

const secretColumns: Sql = sql`tenant_id, id as webhook_id, secret,
  case when previous_secret_until > now() then previous_secret end as previous_secret, headers`;

/** Finds the secrets of a tenant's endpoints, sealed. */
export async function findWebhookSecrets(db: Db, tenantId: number): Promise<SealedSecrets[]> {
  const { rows } = await db.query<SealedSecrets>(sql`
    select ${secretColumns} from webhooks where tenant_id = ${tenantId} order by id`);
  return rows;
}

/** Finds the secrets of an endpoint, sealed. */
export async function findEndpointSecrets(
  db: Db,
  endpoint: Endpoint,
): Promise<SealedSecrets | undefined> {
  const { rows } = await db.query<SealedSecrets>(sql`
    select ${secretColumns} from webhooks where ${isEndpoint(endpoint)}`);
  return rows[0];
}

/** Allots the id of a new endpoint. Ids of removed ones are not reused. */
export async function nextWebhookId(db: Db, tenantId: number): Promise<number> {
  const { rows } = await db.query<{ last_webhook_id: number }>(sql`
    update tenants set last_webhook_id = last_webhook_id + 1 where id = ${tenantId}
    returning last_webhook_id`);
  return rows[0]!.last_webhook_id;
}

/** @param offReason if it is given, the endpoint is off */
export async function insertWebhook(
  db: Db,
  { tenantId, webhookId }: Endpoint,
  chosen: WebhookColumns & { secret: Buffer },
  offReason: Fault | null,
): Promise<WebhookRow> {
  const entries = givenOf(chosen);
  const isOff = offReason !== null;
  const { rows } = await db.query<WebhookRow>(sql`
    insert into webhooks (tenant_id, id, off_since, off_reason, off_says, ${join(entries.map(([name]) => name))})
    values (${tenantId}, ${webhookId}, case when ${isOff} then now() end, ${offReason?.text ?? null},
            ${offReason && JSON.stringify(offReason)},
            ${join(entries.map(([, value]) => value))})
    returning ${columns}, ${changed}`);
  return rows[0]!;
}

/**
 * Changes an endpoint, and switches it on or off.
 *
 * @param offReason with one it is off, and keeps an earlier reason
 * @returns the endpoint with its secret, sealed; undefined if there is none
 */
export async function updateWebhook(
  db: Db,
  endpoint: Endpoint,
  chosen: WebhookColumns & { url: string },
  offReason: Fault | null,
): Promise<(WebhookRow & { secret: Buffer }) | undefined> {
  const isOff = offReason !== null;
  const assignments = givenOf(chosen).map(([name, value]) => sql`${name} = ${value},`);
  const { rows } = await db.query<WebhookRow & { secret: Buffer }>(sql`
    update webhooks set
      ${join(assignments, ' ', '', ' ')}
      failing_since = case when ${isOff} then failing_since end,
      failures_in_row = 0,
      failed_at = null,
      off_since = case when ${isOff} then coalesce(off_since, now()) end,
      off_reason = case when ${isOff} then coalesce(off_reason, ${offReason?.text ?? null}) end,
      off_says = case when not ${isOff} then null when off_reason is not null then off_says
        else ${offReason && JSON.stringify(offReason)}::jsonb end
    where ${isEndpoint(endpoint)}
    returning ${columns}, secret, ${changed}`);
  return rows[0];
}

function givenOf(chosen: object): [name: Sql, value: Sql][] {
  return Object.entries(chosen)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [raw(name), sql`${value}`]);
}

/** @returns undefined if there is no such endpoint */
export async function switchWebhookOff(
  db: Db,
  endpoint: Endpoint,
  reason: Fault,
): Promise<WebhookRow | undefined> {
  const { rows } = await db.query<WebhookRow>(sql`
    update webhooks set
      off_reason = case when off_since is null then ${reason.text} else off_reason end,
      off_says = case when off_since is null then ${JSON.stringify(reason)}::jsonb else off_says end,
      off_since = coalesce(off_since, now())
    where ${isEndpoint(endpoint)}
    returning ${columns}, ${notifyTopic('webhook', sql`webhooks.tenant_id`)}`);
  return rows[0];
}

/** While an endpoint is paused, its events are recorded but not sent. */
export async function setPaused(
  db: Db,
  endpoint: Endpoint,
  isPaused: boolean,
): Promise<WebhookRow | undefined> {
  const { rows } = await db.query<WebhookRow>(sql`
    update webhooks set paused_since = case when ${isPaused} then coalesce(paused_since, now()) end
    where ${isEndpoint(endpoint)}
    returning ${columns}, ${changed}`);
  return rows[0];
}

/**
 * Sets a new secret of an endpoint that exists, and its headers.
 *
 * @param keepsOldForSeconds how long the old secret also signs; null if it does not
 */
export async function replaceSecret(
  db: Db,
  endpoint: Endpoint,
  {
    secret,
    keepsOldForSeconds,
    headers,
  }: { secret: Buffer; keepsOldForSeconds: number | null; headers: Buffer | null },
): Promise<WebhookRow> {
  const { rows } = await db.query<WebhookRow>(sql`
    update webhooks set
      previous_secret = case when ${keepsOldForSeconds}::float8 is not null then secret end,
      previous_secret_until = now() + ${keepsOldForSeconds}::float8 * interval '1 s',
      secret = ${secret},
      headers = ${headers}
    where ${isEndpoint(endpoint)}
    returning ${columns}, ${notifyTopic('webhook', sql`webhooks.tenant_id`)}`);
  return rows[0]!;
}
