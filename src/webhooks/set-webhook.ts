import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { invalid } from '../errors.ts';
import type { Vault } from '../platform/crypto.ts';
import type { Db } from '../platform/database/database.ts';
import type { Outbound } from '../platform/outbound/outbound.ts';
import { OutboundFailure } from '../platform/outbound/outbound-failure.ts';
import { withoutBrackets } from '../platform/outbound/vet-host.ts';
import { upsertWebhook, type WebhookRow } from './queries.ts';
import { type EventType, eventTypes, isEventType } from './schema.ts';
import { newSecret, secretContext } from './secrets/secret.ts';

const longestUrl = 2_048;

/**
 * Gives a tenant its webhook, or changes the one it has; it is on afterwards, unless a reason says
 * why it is to be off. The secret stays the same until it is rotated, and what still waits goes to
 * the new address.
 *
 * @param asked absent `events` are all of them for a new webhook, the same as before otherwise
 * @returns the webhook, and the secret to show to who set it
 * @throws ApiError 422 on `url` or `events`
 */
export async function setWebhook(
  { db, vault, ...checking }: { db: Db; vault: Vault; config: Config; outbound: Outbound },
  tenantId: number,
  asked: { url: string; events?: string[]; offReason?: string },
): Promise<{ webhook: WebhookRow; created: boolean; secret: string }> {
  const { secret, created, ...webhook } = await upsertWebhook(db, tenantId, {
    url: await checkUrl(asked.url, checking),
    events: asked.events ? checkEvents(asked.events) : null,
    secret: vault.seal(newSecret(), secretContext(tenantId)),
    offReason: asked.offReason ?? null,
  });
  return { webhook, created, secret: vault.open(secret, secretContext(tenantId)) };
}

/**
 * Refuses a URL that can be seen to be wrong. An https:// name is not looked up: the guard of outbound HTTP
 * checks the address of every connection. An http:// name must lead to an allowed private network already
 * now, since most http:// addresses are slips that would only show when deliveries fail.
 */
async function checkUrl(
  text: string,
  { config, outbound }: { config: Config; outbound: Outbound },
): Promise<string> {
  const url = URL.parse(text);
  const refuse = (message: string) => invalid({ url: [message] });
  if (!url || !/^https?:$/.test(url.protocol)) throw refuse('must be an https:// address');
  if (text.length > longestUrl) throw refuse(`must have at most ${longestUrl} characters`);
  if (url.username || url.password) throw refuse('must not contain a user name or a password');
  if (url.hostname.endsWith('.')) throw refuse('must not have a host that ends with a dot');

  const secure = url.protocol === 'https:';
  if (!secure && config.allowPrivateAddresses.length === 0) {
    throw refuse('must be an https:// address');
  }
  const host = withoutBrackets(url.hostname);
  const isKnown = isIP(host) !== 0 || /(^|\.)localhost$/i.test(host);
  if (secure && !isKnown) return text;
  try {
    await outbound.vet(text);
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    const hint =
      error.kind === 'dns' ? ' http:// is only for private addresses. Use https://.' : '';
    throw refuse(`cannot be called: ${error.message}${hint}`);
  }
  return text;
}

function checkEvents(events: string[]): EventType[] {
  const unknown = events.filter((event) => !isEventType(event));
  if (unknown.length > 0) {
    throw invalid({
      events: unknown.map((event) => `has no "${event}"; there are ${eventTypes.join(', ')}`),
    });
  }
  if (events.length === 0) throw invalid({ events: ['must have at least one event'] });
  return eventTypes.filter((type) => events.includes(type));
}
