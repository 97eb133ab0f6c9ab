import sql from 'sql-template-tag';
import {
  type RequestCount,
  raisedMinute,
  resets,
  shareByToken,
  type TokenShare,
} from '../limits/counted-minute.ts';
import { type Db, prepared } from '../platform/database.ts';

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
};

export type WrittenDown = RequestCount & {
  /** null when the minute or the day of the token is used up: nothing was written. */
  id: number | null;
};

/** What a token's share of a batch came to. */
type ShareRow = Omit<RequestCount, 'minute_used' | 'day_used'> & {
  /** From 1, in the order of the shares. */
  place: number;
  /** The token's requests of the minute, its share included. */
  requests: number;
  /** The token's messages of the day, what was granted of its share included. */
  messages: number | null;
  granted: number | null;
  /** Of all messages written, in the order of the batch; in each row the same. */
  ids: string[] | null;
};

/**
 * Counts many sends against their tokens' minute and day, and writes down those that both allow,
 * as `accepting`, in one statement; answers in their order. Exact across processes: a token's rows
 * are raised once by its share of the batch, the day's by no more than fits.
 */
export async function writeDownMessages(
  db: Db,
  asked: NewMessage[],
  clockOffsetMs: number,
): Promise<WrittenDown[]> {
  const shares = shareByToken(asked);
  const items = shares.flatMap((share, index) =>
    share.items.map((item, place) => ({ ...item, share: index + 1, place: place + 1 })),
  );
  const { rows } = await db.query<ShareRow>(
    prepared(
      'write-down-messages',
      sql`
        with moment as (
          select now() + ${clockOffsetMs}::float8 * interval '1 ms' as at
        ), share as (
          select *
          from unnest(${shares.map((share) => share.tenantId)}::bigint[],
                      ${shares.map((share) => share.tokenId)}::bigint[],
                      ${shares.map((share) => share.items.length)}::int[],
                      ${shares.map((share) => share.items[0]!.requestsPerMinute)}::int[],
                      ${shares.map((share) => share.items[0]!.messagesPerDay)}::int[])
               with ordinality
               as share (tenant_id, token_id, requests, minute_limit, quota, place)
        ), ${raisedMinute}, passed as (
          -- Of the share, the first so many are inside the minute.
          select share.tenant_id, share.token_id, share.quota, share.place,
                 minute.requests as minute_requests, minute_start,
                 least(share.requests,
                       share.minute_limit - (minute.requests - share.requests)) as messages
          from share join minute using (tenant_id, token_id)
        ), day as (
          insert into token_days as kept (tenant_id, token_id, day, quota, messages, granted)
          select tenant_id, token_id, (select (at at time zone 'utc')::date from moment), quota,
                 least(messages, quota), least(messages, quota)
          from passed where messages > 0
          on conflict (tenant_id, token_id, day) do update set
            quota = excluded.quota,
            granted = greatest(0, least(excluded.granted, excluded.quota - kept.messages)),
            messages = kept.messages
              + greatest(0, least(excluded.granted, excluded.quota - kept.messages))
          returning tenant_id, token_id, messages, granted
        ), outcome as (
          select passed.*, day.granted,
                 coalesce(day.messages, (
                   -- The whole share was over the minute.
                   select kept.messages from token_days kept
                   where kept.tenant_id = passed.tenant_id and kept.token_id = passed.token_id
                     and kept.day = (select (at at time zone 'utc')::date from moment)
                 )) as day_messages
          from passed left join day using (tenant_id, token_id)
        ), written as (
          insert into messages (tenant_id, token_id, number_id, direction, phone, kind, content,
                                status, created_at, run_id)
          select outcome.tenant_id, outcome.token_id, item.number_id, 'out', item.phone, item.kind,
                 item.content::jsonb, 'accepting', (select at from moment), item.run_id
          from unnest(${items.map((item) => item.share)}::int[],
                      ${items.map((item) => item.place)}::int[],
                      ${items.map((item) => item.numberId)}::bigint[],
                      ${items.map((item) => item.phone)}::text[],
                      ${items.map((item) => item.kind)}::text[],
                      ${items.map((item) => JSON.stringify(item.content))}::text[],
                      ${items.map((item) => item.runId)}::bigint[])
               with ordinality
               as item (share, place, number_id, phone, kind, content, run_id, position)
          join outcome on outcome.place = item.share
          where item.place <= outcome.granted
          order by item.position
          returning id
        )
        select outcome.place::int, outcome.minute_requests as requests,
               outcome.day_messages as messages, outcome.granted, ${resets},
               (select array_agg(id order by id)::text[] from written) as ids
        from outcome cross join moment
        order by outcome.place`,
    ),
  );
  return answers(asked, shares, rows);
}

/** Each send's place in its token's minute and day, and its id when it was written. */
function answers(
  asked: NewMessage[],
  shares: TokenShare<NewMessage>[],
  rows: ShareRow[],
): WrittenDown[] {
  const answered = new Map<NewMessage, WrittenDown>();
  const ids = (rows[0]?.ids ?? []).map(Number);
  let written = 0;
  shares.forEach(({ items }, index) => {
    const row = rows[index]!;
    const granted = row.granted ?? 0;
    items.forEach((item, place) => {
      const fits = place < granted;
      answered.set(item, {
        minute_used: row.requests - items.length + place + 1,
        minute_reset_seconds: row.minute_reset_seconds,
        day_used: (row.messages ?? 0) - (fits ? granted - place - 1 : 0),
        day_reset_seconds: row.day_reset_seconds,
        id: fits ? ids[written++]! : null,
      });
    });
  });
  return asked.map((item) => answered.get(item)!);
}
