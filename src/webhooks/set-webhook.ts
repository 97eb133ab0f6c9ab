import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import type { Db } from '../platform/database/database.ts';
import { invalid } from '../platform/errors/api-error.ts';
import { type Fault, fault } from '../platform/errors/fault.ts';
import type { Outbound } from '../platform/outbound/outbound.ts';
import { OutboundFailure } from '../platform/outbound/outbound-failure.ts';
import { withoutBrackets } from '../platform/outbound/vet-host.ts';
import type { Vault } from '../platform/secrets/crypto.ts';
import { upsertWebhook, type WebhookRow } from './queries.ts';
import { type EventChoice, eventSelectors, eventTypes, isEventSelector } from './schema.ts';
import { newSecret, secretContext } from './secrets/secret.ts';

const maxUrlLength = 2_048;

/**
 * Creates a tenant's webhook or changes the existing one. It is on afterwards, unless there is an
 * `offReason`. The secret stays the same until it is rotated. Waiting deliveries go to the new address.
 *
 * @param given without `events` a new webhook gets all events, and an existing one keeps its choice
 * @returns the webhook, and the secret in clear text
 * @throws ApiError 422 on `url` or `events`
 */
export async function setWebhook(
  { db, vault, ...checking }: { db: Db; vault: Vault; config: Config; outbound: Outbound },
  tenantId: number,
  given: { url: string; events?: string[]; offReason?: string },
): Promise<{ webhook: WebhookRow; created: boolean; secret: string }> {
  const { secret, created, ...webhook } = await upsertWebhook(db, tenantId, {
    url: await checkUrl(given.url, checking),
    events: given.events && checkEvents(given.events),
    secret: vault.seal(newSecret(), secretContext(tenantId)),
    offReason: given.offReason ?? null,
  });
  return { webhook, created, secret: vault.open(secret, secretContext(tenantId)) };
}

/**
 * Refuses a URL that is clearly wrong. An https:// name is not looked up: the guard of outbound HTTP checks
 * the address of every connection. An http:// name must already resolve to an allowed private network,
 * because most http:// addresses are typing errors that would only show when deliveries fail.
 */
async function checkUrl(
  text: string,
  { config, outbound }: { config: Config; outbound: Outbound },
): Promise<string> {
  const url = URL.parse(text);
  const refuse = (message: Fault) => invalid({ url: [message] });
  if (!url || !/^https?:$/.test(url.protocol))
    throw refuse(fault('not_https', 'must be an https:// address'));
  if (text.length > maxUrlLength)
    throw refuse(
      fault('url_too_long', `must have at most ${maxUrlLength} characters`, { max: maxUrlLength }),
    );
  if (url.username || url.password)
    throw refuse(fault('url_with_user', 'must not contain a user name or a password'));
  if (url.hostname.endsWith('.'))
    throw refuse(fault('url_with_dot', 'must not have a host that ends with a dot'));

  const secure = url.protocol === 'https:';
  if (!secure && config.allowPrivateAddresses.length === 0) {
    throw refuse(fault('not_https', 'must be an https:// address'));
  }
  const host = withoutBrackets(url.hostname);
  const isKnown = isIP(host) !== 0 || /(^|\.)localhost$/i.test(host);
  if (secure && !isKnown) return text;
  try {
    await outbound.vet(text);
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    const isName = error.kind === 'dns';
    const hint = isName ? ' http:// is only for private addresses. Use https://.' : '';
    throw refuse(
      fault('url_not_callable', `cannot be called: {why}${hint}`, {
        why: error.message,
        kind: isName ? 'name' : 'address',
      }),
    );
  }
  return text;
}

/** Reads a choice of events, by name or family. All events of the contract and no others are the default choice. */
function checkEvents(events: string[]): EventChoice {
  const unknown = events.filter((event) => !isEventSelector(event));
  if (unknown.length > 0) {
    throw invalid({
      events: unknown.map((event) =>
        fault('not_an_event', 'must not have "{event}". The events are {known}', {
          event,
          known: eventSelectors.join(', '),
        }),
      ),
    });
  }
  if (events.length === 0)
    throw invalid({ events: [fault('no_event', 'must have at least one event')] });
  const chosen = eventSelectors.filter((each) => events.includes(each));
  const isDefault = chosen.join() === eventTypes.join();
  return isDefault ? null : chosen;
}
