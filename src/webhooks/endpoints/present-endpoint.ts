import type { Static } from 'typebox';
import { numberIdsOf } from '../../numbers/number-ids.ts';
import type { Db } from '../../platform/database/database.ts';
import { fault, storedCode } from '../../platform/errors/fault.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import { tryOpen } from '../../platform/secrets/try-open.ts';
import type { SaveWebhook } from '../dashboard-schema.ts';
import type { WebhookRow } from '../queries.ts';
import { selectorsOf } from '../schema.ts';
import { headersContext } from '../secrets/secret.ts';
import type { EndpointSettings } from './checking/check-settings.ts';

type Services = { db: Db; vault: Vault };

/** Presents an endpoint of a tenant. */
export async function presentWebhook(services: Services, row: WebhookRow) {
  const [webhook] = await presentWebhooks(services, row.tenant_id, [row]);
  return webhook!;
}

/** Presents endpoints of one tenant, without their secrets. */
export async function presentWebhooks(
  { db, vault }: Services,
  tenantId: number,
  rows: WebhookRow[],
) {
  const isFiltered = rows.some((row) => row.number_ids !== null);
  const numbers = isFiltered ? await numberIdsOf(db, tenantId) : [];
  const phoneNumberIds = new Map(numbers.map((each) => [each.id, each.phoneNumberId]));

  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    url: row.url,
    events: selectorsOf(row.events) as string[],
    numbers: row.number_ids?.flatMap((id) => phoneNumberIds.get(id) ?? []) ?? null,
    kinds: row.kinds,
    causes: row.causes,
    ordered: row.ordered,
    gather_seconds: row.gather_seconds,
    header_names: headerNames(vault, row),
    on: row.off_since === null,
    paused_since: row.paused_since?.toISOString() ?? null,
    off_reason: row.off_reason,
    off_says: storedCode(row.off_reason, row.off_says),
    off_since: row.off_since?.toISOString() ?? null,
    failing_since: row.failing_since?.toISOString() ?? null,
    previous_secret_until: row.previous_secret_until?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }));
}

/**
 * Lists the names of the additional headers. Their values are never shown. Headers of a lost master key are none, so
 * that they can be set again.
 */
function headerNames(vault: Vault, { tenant_id, id, headers }: WebhookRow): string[] {
  const context = headersContext({ tenantId: tenant_id, webhookId: id });
  const opened = headers && tryOpen(vault, headers, context);
  return opened ? Object.keys(JSON.parse(opened)) : [];
}

/** Reads the settings of a form. */
export function settingsOf({
  on,
  url,
  gather_seconds: gatherSeconds,
  ...others
}: Static<typeof SaveWebhook>): EndpointSettings {
  return {
    ...others,
    url: url.trim(),
    gatherSeconds,
    offReason: on ? undefined : fault('switched_off', 'Switched off in the dashboard.'),
  };
}
