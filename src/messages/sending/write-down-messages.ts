import {
  type RequestCount,
  type SendShare,
  shareByToken,
  type TokenShare,
} from '../../limits/token-counts.ts';
import type { Db } from '../../platform/database/database.ts';
import {
  type Begins,
  type BegunRow,
  beginAndEndSends,
  beginLoneSend,
  beginSends,
  type LoneBegunRow,
  type NewMessage,
  type ShareCounts,
} from './begin-queries.ts';
import { type Completion, inOrder } from './send-queries.ts';

export type WrittenDown = RequestCount & {
  /** null when the minute or the day of the token is used up: nothing was written. */
  id: number | null;
};

/**
 * Counts many sends against their tokens' minute and day, writes down those that both allow, as `accepting`,
 * and completes others, in one statement; answers in the order of `asked`. Exact across processes: a token's
 * row is raised once by its share of the batch, by no more messages than fit.
 *
 * @param completed may be none; none is refunded: giving back takes a lock out of the order in which the
 *   sends take theirs
 */
export async function writeDownMessages(
  db: Db,
  asked: NewMessage[],
  completed: Completion[],
  clockOffsetMs: number,
): Promise<WrittenDown[]> {
  const shares = sharesOf(asked);
  if (asked.length === 1 && completed.length === 0) {
    return [await writeDownAlone(db, shares[0]!, clockOffsetMs)];
  }
  const begins: Begins = {
    shares: shares.map(askedOf),
    messages: shares.flatMap(({ items }, share) =>
      items.map((item, place) => ({ ...item, share: share + 1, place: place + 1 })),
    ),
    clockOffsetMs,
  };
  const { rows } = await db.query<BegunRow>(
    completed.length === 0
      ? beginSends(begins)
      : beginAndEndSends({ ...begins, completed: inOrder(completed) }),
  );
  const counts = rows.filter((row) => row.tenant_id !== null);
  const ids = rows.flatMap(({ id }) => id ?? []);
  return placesOf(asked, shares, counts, ids);
}

async function writeDownAlone(
  db: Db,
  share: TokenShare<NewMessage>,
  clockOffsetMs: number,
): Promise<WrittenDown> {
  const message = share.items[0]!;
  const { rows } = await db.query<LoneBegunRow>(
    beginLoneSend({ share: askedOf(share), message, clockOffsetMs }),
  );
  const { minute_requests, minute_start, counted_at, day_messages, id } = rows[0]!;
  return {
    minute_used: message.counted?.minute_used ?? minute_requests,
    minute_start: message.counted?.minute_start ?? minute_start,
    counted_at,
    day_used: day_messages,
    id,
  };
}

/** Of each token first the messages that were counted before: they pass the minute in any case. */
function sharesOf(asked: NewMessage[]): TokenShare<NewMessage>[] {
  return shareByToken(asked.toSorted((a, b) => Number(isUncounted(a)) - Number(isUncounted(b))));
}

function askedOf({ tenantId, tokenId, items }: TokenShare<NewMessage>): SendShare {
  const { requestsPerMinute, messagesPerDay } = items[0]!;
  const requests = items.filter(isUncounted).length;
  return { tenantId, tokenId, messages: items.length, requests, requestsPerMinute, messagesPerDay };
}

function isUncounted({ counted }: NewMessage): boolean {
  return counted === undefined;
}

/** Each send's place in its token's minute and day, and its id when it was written. */
function placesOf(
  asked: NewMessage[],
  shares: TokenShare<NewMessage>[],
  ofShares: ShareCounts[],
  writtenIds: number[],
): WrittenDown[] {
  const counts = new Map(ofShares.map((each) => [`${each.tenant_id} ${each.token_id}`, each]));
  const ids = writtenIds.toSorted((a, b) => a - b);
  const places = new Map<NewMessage, WrittenDown>();
  let written = 0;
  for (const { tenantId, tokenId, items } of shares) {
    const count = counts.get(`${tenantId} ${tokenId}`)!;
    items.forEach((item, place) => {
      const fits = place < count.granted_now;
      places.set(item, {
        minute_used: item.counted?.minute_used ?? count.minute_requests - items.length + place + 1,
        minute_start: item.counted?.minute_start ?? count.minute_start,
        counted_at: count.counted_at,
        day_used: count.day_messages - (fits ? count.granted_now - place - 1 : 0),
        id: fits ? ids[written++]! : null,
      });
    });
  }
  return asked.map((item) => places.get(item)!);
}
