import sql, { type Sql } from 'sql-template-tag';
import { rowsOf } from '../platform/database/rows-of.ts';

export type RequestCount = {
  /** The number of this request within its minute, from 1. */
  minute_used: number;
  /** When that minute began, in seconds since 1970. */
  minute_start: number;
  /** When the request was last counted, in seconds since 1970. */
  counted_at: number;
  /** Messages granted to the token today, including those of this request. */
  day_used: number;
};

/**
 * Returns the seconds from a request until the end of the minute in which it was counted, or 0 if it
 * has ended.
 */
export function secondsOfMinute({ minute_start, counted_at }: RequestCount): number {
  return Math.max(0, Math.ceil(60 + minute_start - counted_at));
}

/** Returns the seconds from a request until the end of the UTC day. */
export function secondsOfDay({ counted_at }: RequestCount): number {
  return 86_400 - (Math.floor(counted_at) % 86_400);
}

export type OfToken = { tenantId: number; tokenId: number };

/** The requests of one token in a batch. */
export type TokenShare<Item extends OfToken> = {
  tenantId: number;
  tokenId: number;
  items: Item[];
};

/**
 * The key of a token in a map of the process. Tokens of two tenants can have the same id after a move, and requests of
 * members have token 0 in every tenant.
 */
export function tokenKey({ tenantId, tokenId }: OfToken): string {
  return `${tenantId} ${tokenId}`;
}

/**
 * Groups the items of a batch by token, in the order of the tokens' keys: every statement that
 * raises counts locks them in this order, so that there are no deadlocks.
 */
export function shareByToken<Item extends OfToken>(items: Item[]): TokenShare<Item>[] {
  const shares = new Map<string, TokenShare<Item>>();
  for (const item of items) {
    const { tenantId, tokenId } = item;
    const key = tokenKey(item);
    const share = shares.get(key);
    if (share) share.items.push(item);
    else shares.set(key, { tenantId, tokenId, items: [item] });
  }
  return [...shares.values()].sort((a, b) => a.tenantId - b.tenantId || a.tokenId - b.tokenId);
}

export const today = sql`(now() at time zone 'utc')::date`;

/**
 * The requests of the minute, in a row of `token_days as stored`, before those that an upsert adds.
 * They belong to the newest minute that the row has seen, or to the one before it: a request that
 * began before a minute ended may be stored after a request of the next minute.
 */
const requestsBefore = sql`
  case when stored.minute - excluded.minute in (interval '0', interval '1 minute')
    then stored.requests else 0 end`;
const newestMinute = sql`
  case when stored.minute - excluded.minute = interval '1 minute'
    then stored.minute else excluded.minute end`;

/**
 * A CTE that adds each token's requests in this batch to its per-minute counter. It returns
 * `counted (tenant_id, token_id, minute_requests, minute_start, day_messages)`: the new counts, and
 * the messages granted to the token today.
 *
 * @param shares in the order of `shareByToken`
 */
export function countedRequests(shares: TokenShare<OfToken>[]): Sql {
  return sql`
    counted as (
      insert into token_days as stored (tenant_id, token_id, day, minute, requests, messages, granted)
      select tenant_id, token_id, ${today}, date_trunc('minute', now()), requests, 0, 0
      from ${rowsOf('share', shares, {
        tenant_id: ['bigint', ({ tenantId }) => tenantId],
        token_id: ['bigint', ({ tokenId }) => tokenId],
        requests: ['int', ({ items }) => items.length],
      })}
      on conflict (tenant_id, token_id, day) do update set
        requests = ${requestsBefore} + excluded.requests, minute = ${newestMinute}
      returning tenant_id, token_id, requests as minute_requests, minute as minute_start,
                messages as day_messages
    )`;
}

/** The sends of a token in a batch, and the limits of its plan. */
export type SendShare = {
  tenantId: number;
  tokenId: number;
  /** All messages, and how many of them are not yet counted as requests. */
  messages: number;
  requests: number;
  requestsPerMinute: number;
  /** null is no limit. */
  messagesPerDay: number | null;
};

/**
 * The number of messages of a share that the limits of minute and day allow: `fitting` if the token
 * has a row for the day, `fittingFirst` if it has none. Messages already counted as requests always
 * pass the minute.
 */
const fitting = sql`
  greatest(0, least(
    excluded.asked - excluded.requests
      + greatest(0, least(excluded.requests, excluded.minute_limit - ${requestsBefore})),
    excluded.day_limit - stored.messages))`;
const fittingFirst = sql`
  least(asked - requests + least(requests, minute_limit), day_limit)`;

/**
 * The CTE `counted` for sends. It has the columns of `countedRequests`, adds as many messages to the
 * day as the limits allow, and returns their number as `granted_now`.
 *
 * @param shares in the order of `shareByToken`
 */
export function countedSends(shares: SendShare[]): Sql {
  return sql`
    counted as (
      insert into token_days as stored (tenant_id, token_id, day, minute, requests, asked,
                                      minute_limit, day_limit, messages, granted)
      select tenant_id, token_id, ${today}, date_trunc('minute', now()), requests, asked,
             minute_limit, day_limit, ${fittingFirst}, ${fittingFirst}
      from ${rowsOf('share', shares, {
        tenant_id: ['bigint', ({ tenantId }) => tenantId],
        token_id: ['bigint', ({ tokenId }) => tokenId],
        requests: ['int', ({ requests }) => requests],
        asked: ['int', ({ messages }) => messages],
        minute_limit: ['int', ({ requestsPerMinute }) => requestsPerMinute],
        day_limit: ['int', ({ messagesPerDay }) => messagesPerDay],
      })}
      on conflict (tenant_id, token_id, day) do update set
        requests = ${requestsBefore} + excluded.requests, minute = ${newestMinute}, asked = excluded.asked,
        minute_limit = excluded.minute_limit, day_limit = excluded.day_limit,
        messages = stored.messages + ${fitting}, granted = ${fitting}
      returning tenant_id, token_id, requests as minute_requests, minute as minute_start,
                messages as day_messages, granted as granted_now
    )`;
}

/**
 * The times of a `RequestCount`, selected from `counted`. Uses `date_part` because the numeric
 * result of `extract` is slower to write.
 */
export const countedWhen: Sql = sql`
  date_part('epoch', minute_start) as minute_start, date_part('epoch', now()) as counted_at`;
