import type { ParleyClient } from './client.ts';
import type { components, WebhookEvent } from './schema.ts';

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
 * The service refused to return events. With the code `cursor_expired`, events after the cursor are no longer kept,
 * and `oldest` is the cursor with which to continue.
 */
export class EventsError extends Error {
  override readonly name = 'EventsError';
  readonly status: number;
  readonly code: string;
  readonly oldest: string | undefined;

  constructor(status: number, error: components['schemas']['Error']) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.oldest = error.data?.oldest;
  }
}

/**
 * Follows the log of events, and waits for new ones until `signal` is aborted. Store `next` when you have processed
 * a page: whoever continues there misses no event.
 *
 *     for await (const { events, next } of followEvents(parley, { after: stored })) {
 *       for (const event of events) await process(event);
 *       await store(next);
 *     }
 *
 * @throws EventsError
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
    const { data, error, response } = await client
      .GET('/events', { params: { query }, ...(signal && { signal }) })
      .catch((failure: unknown) => {
        if (signal?.aborted) return { data: undefined, error: undefined, response: undefined };
        throw failure;
      });
    if (error) throw new EventsError(response.status, error);
    if (!data) return;
    cursor = data.pagination.next;
    if (data.data.length > 0) yield { events: data.data as unknown as ParleyEvent[], next: cursor };
  }
}
