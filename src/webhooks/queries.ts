import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { notifyTopic } from '../tenants/watched-topics.ts';
import { wakeDeliverers } from './record-events.ts';
import type { EventChoice } from './schema.ts';

export type WebhookRow = {
  tenant_id: number;
  url: string;
  events: EventChoice;
  failing_since: Date | null;
  off_since: Date | null;
  off_reason: string | null;
  /** The previous secret also signs until then. */
  previous_secret_until: Date | null;
  created_at: Date;
};

type SealedSecrets = { tenant_id: number; secret: Buffer; previous_secret: Buffer | null };

const columns: Sql = sql`tenant_id, url, events, failing_since, off_since, off_reason,
  previous_secret_until, created_at`;

export async function findWebhook(db: Db, tenantId: number): Promise<WebhookRow | undefined> {
  const { rows } = await db.query<WebhookRow>(sql`
    select ${columns} from webhooks where tenant_id = ${tenantId}`);
  return rows[0];
}

/** Finds the secrets of the tenant's webhook, sealed. */
export async function findWebhookSecrets(
  db: Db,
  tenantId: number,
): Promise<SealedSecrets | undefined> {
  const { rows } = await db.query<SealedSecrets>(sql`
    select tenant_id, secret, previous_secret from webhooks where tenant_id = ${tenantId}`);
  return rows[0];
}

/**
 * Creates the tenant's webhook or changes the existing one, and switches it on or off. The secret is used
 * for a new webhook only.
 *
 * @param webhook without `events` a new webhook gets all events, and an existing one keeps its choice;
 *   with an `offReason` it is off, and keeps an earlier reason
 * @returns the webhook with its secret, sealed; `created` says whether it is new
 */
export async function upsertWebhook(
  db: Db,
  tenantId: number,
  webhook: {
    url: string;
    events: EventChoice | undefined;
    secret: Buffer;
    offReason: string | null;
  },
): Promise<WebhookRow & { secret: Buffer; created: boolean }> {
  const { rows } = await db.query<WebhookRow & { secret: Buffer; created: boolean }>(sql`
    insert into webhooks as stored (tenant_id, url, events, secret, off_since, off_reason)
    values (${tenantId}, ${webhook.url}, ${webhook.events ?? null}, ${webhook.secret},
            case when ${webhook.offReason}::text is not null then now() end, ${webhook.offReason})
    on conflict (tenant_id) do update set
      url = excluded.url,
      events = case when ${webhook.events === undefined} then stored.events else excluded.events end,
      failing_since = case when excluded.off_since is not null then stored.failing_since end,
      failures_in_row = 0,
      failed_at = null,
      off_since = case when excluded.off_since is not null
        then coalesce(stored.off_since, excluded.off_since) end,
      off_reason = case when excluded.off_since is not null
        then coalesce(stored.off_reason, excluded.off_reason) end
    returning ${columns}, secret, secret = ${webhook.secret} as created,
              ${wakeDeliverers}`);
  return rows[0]!;
}

/** @returns undefined if the tenant has no webhook */
export async function switchWebhookOff(
  db: Db,
  tenantId: number,
  reason: string,
): Promise<WebhookRow | undefined> {
  const { rows } = await db.query<WebhookRow>(sql`
    update webhooks set
      off_reason = case when off_since is null then ${reason} else off_reason end,
      off_since = coalesce(off_since, now())
    where tenant_id = ${tenantId}
    returning ${columns}, ${notifyTopic('webhook', sql`webhooks.tenant_id`)}`);
  return rows[0];
}

/** Sets a new secret. The previous one also signs for `bothForSeconds`. */
export async function replaceSecret(
  db: Db,
  tenantId: number,
  secret: Buffer,
  bothForSeconds: number,
): Promise<WebhookRow | undefined> {
  const { rows } = await db.query<WebhookRow>(sql`
    update webhooks set
      previous_secret = secret,
      previous_secret_until = now()
        + ${bothForSeconds}::float8 * interval '1 s',
      secret = ${secret}
    where tenant_id = ${tenantId}
    returning ${columns}, ${notifyTopic('webhook', sql`webhooks.tenant_id`)}`);
  return rows[0];
}
