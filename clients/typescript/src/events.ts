import type { ParleyClient } from './client.ts';
import { ParleyError, unwrap } from './errors.ts';
import { NoResponseError } from './no-response-error.ts';
import { isTransient, pause } from './retry.ts';
import type { WebhookEvent } from './schema.ts';
import type { TestEvent } from './verify-webhook.ts';

/** An event of the log, with the types of webhook events. */
export type ParleyEvent = Exclude<WebhookEvent, TestEvent> & { id: string; created_at: string };

/** Events in their order, and the cursor with which to continue after them. */
export type EventPage = { events: ParleyEvent[]; next: string };

export type FollowOptions = {
  /** The `next` of the last page that you processed. Without it, the oldest events come first. */
  after?: string | undefined;
  /** Event types and families, such as `message.*`; by default all. */
  types?: readonly string[];
  /** The maximum number of events of a page; by default 100. */
  limit?: number;
  /** How many seconds a request waits for an event; by default 25. */
  waitSeconds?: number;
  /** Ends the iteration. */
  signal?: AbortSignal;
};

/**
 * Follows the log of events, and waits for new ones until `signal` is aborted. Store `next` when you have processed
 * a page. If you continue there after a restart, you miss no event. Once a page has come, an outage of the service only
 * delays the next one.
 *
 *     for await (const { events, next } of followEvents(parley, { after: stored })) {
 *       for (const event of events) await process(event);
 *       await store(next);
 *     }
 *
 * @throws ParleyError with the code `cursor_expired` if events after the cursor are no longer kept. Then `data.oldest`
 *   is the cursor with which to continue; every other error of the first request, and those that no retry can end
 */
export async function* followEvents(
  client: ParleyClient,
  { after, types, limit, waitSeconds = 25, signal }: FollowOptions = {},
): AsyncGenerator<EventPage> {
  let cursor = after;
  let hasBegun = false;
  while (!signal?.aborted) {
    const query = {
      ...(cursor !== undefined && { after: cursor }),
      ...(types && { types: types.join(',') }),
      ...(limit !== undefined && { limit }),
      wait: waitSeconds,
    };
    const page = await client
      .GET('/events', { params: { query }, ...(signal && { signal }) })
      .then(unwrap)
      .catch(async (failure: unknown) => {
        if (signal?.aborted) return undefined;
        if (!hasBegun || !isOutage(failure)) throw failure;
        await pause(outagePauseMs, signal).catch(() => {});
      });
    if (!page) continue;
    hasBegun = true;
    cursor = page.pagination.next;
    if (page.data.length > 0) yield { events: page.data as unknown as ParleyEvent[], next: cursor };
  }
}

/** Besides the waits of the client's own retries. */
const outagePauseMs = 1_000;

function isOutage(failure: unknown): boolean {
  if (failure instanceof ParleyError) return isTransient(failure.status, failure.code);
  return failure instanceof NoResponseError;
}
