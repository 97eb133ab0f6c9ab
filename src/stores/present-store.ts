import { type Config, publicUrl } from '../config.ts';
import { failureSentence } from '../messages/failure-message.ts';
import { codeOf, storedCode } from '../platform/errors/fault.ts';
import type { Vault } from '../platform/secrets/crypto.ts';
import type { StoreEventRow } from './activity/event-queries.ts';
import type { StoreActivity, StoreCounts } from './activity/metric-queries.ts';
import { platformNames, platforms } from './platforms/platforms.ts';
import type { StoreRow } from './queries.ts';
import { openAuthentication } from './setup/store-keys.ts';
import { isSample } from './tools/sample-post.ts';

/** Returns the address that a store posts to. */
export function deliveryUrl(config: Config, webhookId: string): string {
  return `${publicUrl(config)}/api/webhooks/${webhookId}`;
}

/** Presents a store to the dashboard: without its secret, only whether it has one. */
export function presentStore(
  { config, vault }: { config: Config; vault: Vault },
  row: StoreRow,
  activity: StoreActivity | undefined,
) {
  return {
    id: row.id,
    name: row.name,
    platform: row.platform,
    url: deliveryUrl(config, row.webhook_id),
    country: row.country,
    number_id: row.number_id,
    has_secret: row.secret !== null,
    authentication: authenticationTypeOf(vault, row),
    paused_since: row.paused_since?.toISOString() ?? null,
    pause_reason: row.pause_reason,
    created_at: row.created_at.toISOString(),
    ...presentCounts(activity),
    last_seen_at: activity?.last_seen_at?.toISOString() ?? null,
    last_refusal: activity?.last_refusal ?? null,
    quiet_since: activity?.quiet_since?.toISOString() ?? null,
  };
}

/** Returns null also if the master key was lost, so that the owner sees the store and can set new keys. */
function authenticationTypeOf(vault: Vault, row: StoreRow) {
  try {
    return openAuthentication(vault, row)?.type ?? null;
  } catch {
    return null;
  }
}

/** Presents the platforms that a store can be on. */
export function presentPlatforms() {
  return platformNames.map((name) => {
    const { title, setUpSteps, ownSecret } = platforms[name];
    return {
      name,
      title,
      set_up_steps: setUpSteps.map((step) => ({ text: step.text, says: codeOf(step) })),
      own_secret: ownSecret?.text ?? null,
      own_secret_says: ownSecret ? codeOf(ownSecret) : null,
    };
  });
}

export function presentCounts(counts: StoreCounts | undefined) {
  return {
    received: counts?.received ?? 0,
    refused: counts?.refused ?? 0,
    repeated: counts?.repeated ?? 0,
    done: counts?.done ?? 0,
    nothing_to_do: counts?.nothing_to_do ?? 0,
    skipped: counts?.skipped ?? 0,
    failed: counts?.failed ?? 0,
    messages_sent: counts?.messages_sent ?? 0,
  };
}

/** Returns when a failed event is retried. The due time of a waiting event is a lease. */
export function nextTryOf({ state, due_at }: StoreEventRow): Date | null {
  return state === 'failed' ? due_at : null;
}

export function presentEvent(row: StoreEventRow) {
  const { id, topic, state, reason, attempts, replay_of, contact_id, message_id } = row;
  const failure = row.message_error && failureSentence(row.message_error);
  return {
    id,
    topic,
    state,
    reason,
    reason_says: storedCode(reason, row.reason_says),
    attempts,
    next_try_at: nextTryOf(row)?.toISOString() ?? null,
    received_at: row.received_at.toISOString(),
    is_sample: isSample(row.headers),
    replay_of,
    resource_number: row.resource_number,
    phone: row.phone,
    contact_id,
    message_id,
    sends_again: row.has_sent,
    message_failure: failure?.text ?? null,
    message_failure_says: failure && codeOf(failure),
  };
}
