import type { ParleyClient } from './client.ts';
import { unwrap } from './errors.ts';
import type { WebhookEvent } from './schema.ts';

/** An event of the log, with the types of webhook events. */
export type ParleyEvent = WebhookEvent & { id: string; created_at: string };

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
 * a page. If you continue there after a restart, you miss no event.
 *
 *     for await (const { events, next } of followEvents(parley, { after: stored })) {
 *       for (const event of events) await process(event);
 *       await store(next);
 *     }
 *
 * @throws ParleyError with the code `cursor_expired` if events after the cursor are no longer kept. Then `data.oldest`
 *   is the cursor with which to continue.
 */
export async function* followEvents(
  client: ParleyClient,
  { after, types, limit, waitSeconds = 25, signal }: FollowOptions = {},
): AsyncGenerator<EventPage> {
  let cursor = after;
  while (!signal?.aborted) {
    const query = {
      ...(cursor !== undefined && { after: cursor }),
      ...(types && { types: types.join(',') }),
      ...(limit !== undefined && { limit }),
      wait: waitSeconds,
    };
    const result = await client
      .GET('/events', { params: { query }, ...(signal && { signal }) })
      .catch((failure: unknown) => {
        if (!signal?.aborted) throw failure;
      });
    if (!result) return;
    const { data, pagination } = unwrap(result);
    cursor = pagination.next;
    if (data.length > 0) yield { events: data as unknown as ParleyEvent[], next: cursor };
  }
}
