import sql, { type Sql } from 'sql-template-tag';
import {
  countedSends,
  countedWhen,
  type RequestCount,
  type SendShare,
  shareByToken,
  type TokenShare,
  tokenKey,
} from '../../limits/token-counts.ts';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { conversationsOfSent, latestNumber, personOf } from '../conversations/person.ts';

/** A send to be stored before the network is called. */
export type NewMessage = {
  tenantId: number;
  tokenId: number;
  requestsPerMinute: number;
  /** null is no limit. */
  messagesPerDay: number | null;
  /**
   * The numbers that may send it. If the latest message with the person went through one of them, that one sends it,
   * otherwise the first.
   */
  numberIds: [number, ...number[]];
  phone: string;
  kind: string;
  content: object;
  /** The sender's own text, by which the message can be found. */
  reference: string | null;
  /** The account of the member who sends it in the dashboard; null if the token's own client sends it. */
  memberId: string | null;
  /** The attempt of a request with an Idempotency-Key: it stores one message, ever. */
  attemptId: number | null;
  /** The request's place in its minute, if it was counted and allowed before. */
  counted: RequestCount | undefined;
};

/** Without an id, the token's minute or day is used up, and nothing was stored. */
export type BegunSend = RequestCount & (StoredSend | { id: null; numberId: null });

/** A stored send, and the number that sends it. */
type StoredSend = { id: number; numberId: number };

/**
 * Counts sends against their tokens' minute and day, and stores those that both allow, in one statement. The counts
 * are exact across processes: each token's row is updated once for all of its sends in the batch, and never above a
 * limit.
 *
 * @param ends the CTEs of `completedStates` for other sends that end in the same statement. None of them is
 *   refunded, because a refund would take its lock out of order.
 * @returns the place of each send in its minute and day, in the order of `sends`
 */
export async function beginSends(
  db: Db,
  sends: NewMessage[],
  ends: Sql | undefined,
): Promise<BegunSend[]> {
  const shares = sharesOf(sends);
  const messages = shares.flatMap(({ items }, share) =>
    items.map((item, place) => ({ ...item, share: share + 1, place: place + 1 })),
  );
  const { rows } = await db.query<ShareCounts | StoredRow>(
    statement(
      ends ? 'begin-and-end-sends' : 'begin-sends',
      sql`
        with ${countedSends(shares.map(sendShareOf))}, numbered as (
          select nextval('messages_id_seq') as id, ${personOf(sql`message.tenant_id`, sql`message.phone`)} as person,
                 message.*
          from ${rowsOf('message', messages, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            token_id: ['bigint', ({ tokenId }) => tokenId],
            default_id: ['bigint', ({ numberIds }) => numberIds[0]],
            number_ids: ['text', ({ numberIds }) => candidates(numberIds)],
            phone: ['text', ({ phone }) => phone],
            kind: ['text', ({ kind }) => kind],
            content: ['jsonb', ({ content }) => JSON.stringify(content)],
            reference: ['text', ({ reference }) => reference],
            cause_id: ['text', ({ memberId }) => memberId],
            run_id: ['bigint', ({ attemptId }) => attemptId],
            share: ['int', ({ share }) => share],
            place: ['int', ({ place }) => place],
          })}
          -- Stores the first granted_now messages of each share. An array is much cheaper here than a join.
          where place <= (select array_agg(granted_now order by tenant_id, token_id) from counted)[share]
        ), granted as materialized (
          select *, case when number_ids is null then default_id else coalesce(
                   ${latestNumber(sql`numbered.tenant_id`, sql`numbered.person`, sql`number_ids::bigint[]`)},
                   default_id) end as number_id
          from numbered
        ), conversation as (
          ${conversationsOfSent(sql`granted`, sql`cause_id is not null`)}
        ), stored as (
          insert into messages (tenant_id, id, token_id, number_id, direction, person, phone, kind, content,
                                created_at, reference, cause, cause_id, run_id)
          select tenant_id, id, token_id, number_id, 'out', person, nullif(phone, person), kind, content,
                 now(), reference, case when cause_id is not null then 'member' end, cause_id, run_id
          from granted
          returning id, number_id
        )${ends ? sql`, ${ends}` : sql``}
        select tenant_id, token_id, minute_requests, day_messages, granted_now, ${countedWhen},
               null::bigint as id, null::bigint as number_id
        from counted
        union all
        select null, null, null, null, null, null, null, id, number_id from stored`,
    ),
  );
  const counts = rows.filter((row) => row.tenant_id !== null);
  const stored = rows.filter((row) => row.id !== null).sort((a, b) => a.id - b.id);
  return placesOf(sends, shares, counts, stored);
}

/** Waits until the conversations of sends are not locked. */
export async function awaitConversations(db: Db, sends: NewMessage[]): Promise<void> {
  if (sends.length === 0) return;
  await db.query(
    statement(
      'await-conversations-of-sends',
      sql`
        select from conversations
        where (tenant_id, person) in (
          select tenant_id, ${personOf(sql`message.tenant_id`, sql`message.phone`)}
          from ${rowsOf('message', sends, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            phone: ['text', ({ phone }) => phone],
          })})
        order by tenant_id, person
        for no key update`,
    ),
  );
}

/** The counts of a token after the batch. */
type ShareCounts = {
  tenant_id: number;
  token_id: number;
  /** The token's requests of the minute, its share included. */
  minute_requests: number;
  minute_start: number;
  /** The token's messages of the day, including those granted in this batch. */
  day_messages: number;
  counted_at: number;
  /** How many of the share were stored; these are its first ones. */
  granted_now: number;
  id: null;
};
type StoredRow = { tenant_id: null; id: number; number_id: number };

/** As text, because PostgreSQL has no arrays of arrays of different lengths. Null if there is no choice. */
function candidates(numberIds: number[]): string | null {
  return numberIds.length === 1 ? null : `{${numberIds.join()}}`;
}

/** Messages that were counted before come first, because they pass the minute in any case. */
function sharesOf(sends: NewMessage[]): TokenShare<NewMessage>[] {
  return shareByToken(sends.toSorted((a, b) => Number(isUncounted(a)) - Number(isUncounted(b))));
}

function sendShareOf({ tenantId, tokenId, items }: TokenShare<NewMessage>): SendShare {
  const { requestsPerMinute, messagesPerDay } = items[0]!;
  const requests = items.filter(isUncounted).length;
  return { tenantId, tokenId, messages: items.length, requests, requestsPerMinute, messagesPerDay };
}

function isUncounted({ counted }: NewMessage): boolean {
  return counted === undefined;
}

/**
 * Computes each send's place in its token's minute and day, and its id if it was stored.
 *
 * @param stored by ascending id, which is the order of the shares and of the messages in each
 */
function placesOf(
  sends: NewMessage[],
  shares: TokenShare<NewMessage>[],
  countsOfShares: ShareCounts[],
  stored: StoredRow[],
): BegunSend[] {
  const counts = new Map(
    countsOfShares.map((each) => [
      tokenKey({ tenantId: each.tenant_id, tokenId: each.token_id }),
      each,
    ]),
  );
  const places = new Map<NewMessage, BegunSend>();
  let next = 0;
  for (const { tenantId, tokenId, items } of shares) {
    const count = counts.get(tokenKey({ tenantId, tokenId }))!;
    items.forEach((item, place) => {
      const isStored = place < count.granted_now;
      const row = isStored ? stored[next++]! : undefined;
      places.set(item, {
        minute_used: item.counted?.minute_used ?? count.minute_requests - items.length + place + 1,
        minute_start: item.counted?.minute_start ?? count.minute_start,
        counted_at: count.counted_at,
        day_used: count.day_messages - (isStored ? count.granted_now - place - 1 : 0),
        ...(row ? { id: row.id, numberId: row.number_id } : { id: null, numberId: null }),
      });
    });
  }
  return sends.map((item) => places.get(item)!);
}
