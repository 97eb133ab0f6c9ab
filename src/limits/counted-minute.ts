import sql, { type Sql } from 'sql-template-tag';

export type RequestCount = {
  /** Which request of its minute this is, from 1. */
  minute_used: number;
  minute_reset_seconds: number;
  /** Messages granted to the token today, by this and all earlier requests. */
  day_used: number;
  day_reset_seconds: number;
};

type OfToken = { tenantId: number; tokenId: number };

/** The share of one token in a batch. */
export type TokenShare<Item extends OfToken> = {
  tenantId: number;
  tokenId: number;
  items: Item[];
};

/**
 * The items of a batch by token, in the order of the token's key: every statement that raises
 * counts locks them in this order, so that no two ever wait for each other.
 */
export function shareByToken<Item extends OfToken>(items: Item[]): TokenShare<Item>[] {
  const shares = new Map<string, TokenShare<Item>>();
  for (const item of items) {
    const { tenantId, tokenId } = item;
    // What a member does has token 0 in every tenant.
    const key = `${tenantId} ${tokenId}`;
    const share = shares.get(key);
    if (share) share.items.push(item);
    else shares.set(key, { tenantId, tokenId, items: [item] });
  }
  return [...shares.values()].sort((a, b) => a.tenantId - b.tenantId || a.tokenId - b.tokenId);
}

/**
 * What becomes of a row of `token_minutes as kept` by the requests that an upsert brings. They belong to the
 * newest minute that the row has seen, or to the one before it: what has begun before a minute was over may
 * be written down after a request of the next.
 */
export const raised = {
  requests: sql`
    excluded.requests
      + case when kept.minute - excluded.minute in (interval '0', interval '1 minute')
          then kept.requests else 0 end`,
  minute: sql`
    case when kept.minute - excluded.minute = interval '1 minute'
      then kept.minute else excluded.minute end`,
};

/**
 * For a statement that has `moment (at)`: raises the minute of each token by its share and gives
 * `minute (tenant_id, token_id, minute_requests, minute_start)`, the new counts.
 */
export function raisedMinutes(shares: TokenShare<OfToken>[]): Sql {
  return sql`
    minute as (
      insert into token_minutes as kept (tenant_id, token_id, minute, requests)
      select tenant_id, token_id, date_trunc('minute', at), requests
      from moment
      cross join unnest(${shares.map((each) => each.tenantId)}::bigint[],
                        ${shares.map((each) => each.tokenId)}::bigint[],
                        ${shares.map((each) => each.items.length)}::integer[])
        as share (tenant_id, token_id, requests)
      on conflict (tenant_id, token_id) do update set
        requests = ${raised.requests}, minute = ${raised.minute}
      returning tenant_id, token_id, requests as minute_requests, minute as minute_start
    )`;
}

/**
 * Seconds until the minute that was counted in and the UTC day are over, as columns; for a
 * statement that has `moment (at)` and `minute_start` in reach.
 */
export const resets: Sql = sql`
  ceil(extract(epoch from minute_start + interval '1 minute' - moment.at))::int
    as minute_reset_seconds,
  ceil(extract(epoch from
    date_trunc('day', moment.at at time zone 'utc') + interval '1 day'
      - moment.at at time zone 'utc'))::int as day_reset_seconds`;
