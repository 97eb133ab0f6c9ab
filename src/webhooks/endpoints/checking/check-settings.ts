import type { Config } from '../../../config.ts';
import type { Db } from '../../../platform/database/database.ts';
import { type FieldErrors, invalid } from '../../../platform/errors/api-error.ts';
import type { Fault } from '../../../platform/errors/fault.ts';
import { fault } from '../../../platform/errors/fault.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { Vault } from '../../../platform/secrets/crypto.ts';
import { nameFaults, trimName } from '../../../platform/values/texts/name.ts';
import { defaultEndpoint, type Endpoint } from '../../endpoint-key.ts';
import { findWebhookByName, type WebhookColumns, type WebhookRow } from '../../queries.ts';
import { headersContext } from '../../secrets/secret.ts';
import { checkEvents, checkGathering } from './check-events.ts';
import { checkFilters, type Filters } from './check-filters.ts';
import { checkHeaders, type Header } from './check-headers.ts';
import { checkUrl } from './check-url.ts';

const maxNameLength = 60;
const maxGatherSeconds = 60;

/** The settings of an endpoint as a tenant gives them. An undefined one keeps its value. */
export type EndpointSettings = Filters & {
  url: string;
  name?: string | undefined;
  events?: string[] | undefined;
  ordered?: boolean | undefined;
  /** Null for an event for each inbound message. */
  gatherSeconds?: number | null | undefined;
  /** Replace all headers; empty for none. */
  headers?: Header[] | undefined;
  /** With a reason the endpoint is off, otherwise on. */
  offReason?: Fault | undefined;
};

/** Settings that were checked. The headers are sealed once the id of the endpoint is known. */
export type CheckedSettings = Omit<WebhookColumns, 'headers'> & {
  url: string;
  headers?: Record<string, string>;
};

/**
 * Checks settings, except for what depends on other endpoints.
 *
 * @throws ApiError 422 on the field that is wrong
 */
export async function checkSettings(
  { db, ...outside }: { db: Db; config: Config; outbound: Outbound },
  tenantId: number,
  given: EndpointSettings,
): Promise<CheckedSettings> {
  const { name, events, ordered, gatherSeconds, headers } = given;
  const errors: FieldErrors = {};
  const nameErrors = name === undefined ? [] : nameFaults(name, maxNameLength);
  if (nameErrors.length > 0) errors.name = nameErrors;
  if (gatherSeconds != null && !isGatherTime(gatherSeconds)) {
    errors.gather_seconds = [
      fault('gather_seconds', 'must be an integer from 1 to {max}', { max: maxGatherSeconds }),
    ];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return {
    url: await checkUrl(given.url, outside),
    ...(name !== undefined && { name: trimName(name) }),
    ...(events && { events: checkEvents(events) }),
    ...(await checkFilters(db, tenantId, given)),
    ...(ordered !== undefined && { ordered }),
    ...(gatherSeconds !== undefined && { gather_seconds: gatherSeconds }),
    ...(headers !== undefined && { headers: checkHeaders(headers) }),
  };
}

function isGatherTime(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= 1 && seconds <= maxGatherSeconds;
}

/**
 * Checks what depends on the tenant's endpoints: that the name is free, and that events and gathering fit. The caller
 * holds the tenant's lock.
 *
 * @param current the endpoint before the change; undefined for a new one
 * @throws ApiError 422 on the field that is wrong
 */
export async function checkAgainstOthers(
  db: Db,
  { tenantId, webhookId }: Endpoint,
  chosen: CheckedSettings,
  current: WebhookRow | undefined,
): Promise<void> {
  const { name } = chosen;
  if (name !== undefined) {
    const isReserved = (name.toLowerCase() === 'default') !== (webhookId === defaultEndpoint);
    if (isReserved) {
      throw invalid({
        name: [
          fault('default_name', '"default" is the name of the first endpoint, and only of it'),
        ],
      });
    }
    const named = await findWebhookByName(db, tenantId, name);
    if (named && named.id !== webhookId) {
      throw invalid({ name: [fault('name_taken', 'is already taken')] });
    }
  }
  const { events, gather_seconds: gatherSeconds } = { ...current, ...chosen };
  checkGathering(events ?? null, gatherSeconds ?? null);
}

/** Returns the columns of an endpoint, with its headers sealed. */
export function columnsOf(
  vault: Vault,
  endpoint: Endpoint,
  { headers, ...chosen }: CheckedSettings,
): WebhookColumns & { url: string } {
  if (headers === undefined) return chosen;
  const hasSome = Object.keys(headers).length > 0;
  const sealed = hasSome ? vault.seal(JSON.stringify(headers), headersContext(endpoint)) : null;
  return { ...chosen, headers: sealed };
}
