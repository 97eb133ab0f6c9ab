import { type RequestCount, shareByToken, type TokenShare } from '../../limits/counted-minute.ts';

/** A send to be written down before the network is called. */
export type NewMessage = {
  tenantId: number;
  tokenId: number;
  requestsPerMinute: number;
  /** null is no limit. */
  messagesPerDay: number | null;
  numberId: number;
  phone: string;
  kind: string;
  content: object;
  /** The run of a request with an Idempotency-Key: it writes down one message, ever. */
  runId: number | null;
  /** The place of a request that was counted, and allowed, before. */
  counted: RequestCount | undefined;
};

export type WrittenDown = RequestCount & {
  /** null when the minute or the day of the token is used up: nothing was written. */
  id: number | null;
};

/** Of each token first the messages that were counted before: they pass the minute in any case. */
export function sharesOf(asked: NewMessage[]): TokenShare<NewMessage>[] {
  return shareByToken(asked.toSorted((a, b) => Number(isUncounted(a)) - Number(isUncounted(b))));
}

export function isUncounted({ counted }: NewMessage): boolean {
  return counted === undefined;
}

/** What a token's share of a batch came to. */
export type ShareCounts = {
  /** The token's requests of the minute, its share included. */
  minute_requests: number;
  minute_reset_seconds: number;
  /** The token's messages of the day, what was granted of its share included. */
  day_messages: number;
  day_reset_seconds: number;
  /** The first so many of the share were written. */
  granted_now: number;
};

/**
 * Each send's place in its token's minute and day, and its id when it was written.
 *
 * @param counts in the order of `shares`
 * @param ids of all messages that were written, in the order of the shares
 */
export function placesOf(
  asked: NewMessage[],
  shares: TokenShare<NewMessage>[],
  counts: ShareCounts[],
  ids: number[],
): WrittenDown[] {
  const places = new Map<NewMessage, WrittenDown>();
  let written = 0;
  shares.forEach(({ items }, index) => {
    const count = counts[index]!;
    items.forEach((item, place) => {
      const fits = place < count.granted_now;
      places.set(item, {
        minute_used: item.counted?.minute_used ?? count.minute_requests - items.length + place + 1,
        minute_reset_seconds: item.counted?.minute_reset_seconds ?? count.minute_reset_seconds,
        day_used: count.day_messages - (fits ? count.granted_now - place - 1 : 0),
        day_reset_seconds: count.day_reset_seconds,
        id: fits ? ids[written++]! : null,
      });
    });
  });
  return asked.map((item) => places.get(item)!);
}
