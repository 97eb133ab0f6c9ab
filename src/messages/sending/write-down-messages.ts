import sql, { type Sql } from 'sql-template-tag';
import {
  countedSends,
  type RequestCount,
  resetsAfter,
  shareByToken,
  type TokenShare,
} from '../../limits/token-counts.ts';
import type { Db } from '../../platform/database/database.ts';
import { moment } from '../../platform/database/moment.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type Completion, completedSteps } from './send-queries.ts';

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

/** What a token's share of a batch came to. */
type ShareCounts = {
  tenant_id: number;
  token_id: number;
  /** The token's requests of the minute, its share included. */
  minute_requests: number;
  minute_reset_seconds: number;
  /** The token's messages of the day, what was granted of its share included. */
  day_messages: number;
  day_reset_seconds: number;
  /** The first so many of the share were written. */
  granted_now: number;
};

/** What the statement gives: the counts of each token, and the id of each message that was written. */
type Row = (ShareCounts & { id: null }) | { tenant_id: null; id: number | null };

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
  const begins = sql`with ${writtenSteps(shares, clockOffsetMs)}`;
  const rows = writtenRows(clockOffsetMs);
  const result = await db.query<Row>(
    completed.length === 0
      ? prepared('begin-sends', sql`${begins} ${rows}`)
      : prepared(
          'begin-and-end-sends',
          sql`${begins}, ${completedSteps(completed, clockOffsetMs)} ${rows} union all ${toldRow}`,
        ),
  );
  return placesOf(asked, shares, result.rows);
}

/** Of each token first the messages that were counted before: they pass the minute in any case. */
function sharesOf(asked: NewMessage[]): TokenShare<NewMessage>[] {
  return shareByToken(asked.toSorted((a, b) => Number(isUncounted(a)) - Number(isUncounted(b))));
}

function isUncounted({ counted }: NewMessage): boolean {
  return counted === undefined;
}

/** `counted`, a row for each share, and `written`, the ids of the messages in the order of the shares. */
function writtenSteps(shares: TokenShare<NewMessage>[], clockOffsetMs: number): Sql {
  const at = moment(clockOffsetMs);
  const asking = shares.map(({ tenantId, tokenId, items }) => ({
    tenantId,
    tokenId,
    messages: items.length,
    requests: items.filter(isUncounted).length,
    requestsPerMinute: items[0]!.requestsPerMinute,
    messagesPerDay: items[0]!.messagesPerDay,
  }));
  const items = shares.flatMap((share) => share.items);
  const placed = shares.flatMap((share, index) =>
    share.items.map((_, place) => ({ share: index + 1, place: place + 1 })),
  );
  return sql`
    ${countedSends(asking, at)}, written as (
      insert into messages (tenant_id, token_id, number_id, direction, phone, kind, content,
                            status, created_at, run_id)
      select tenant_id, token_id, number_id, 'out', phone, kind, content, 'accepting', ${at}, run_id
      from unnest(${items.map((item) => item.tenantId)}::bigint[],
                  ${items.map((item) => item.tokenId)}::bigint[],
                  ${items.map((item) => item.numberId)}::bigint[],
                  ${items.map((item) => item.phone)}::text[],
                  ${items.map((item) => item.kind)}::text[],
                  ${items.map((item) => JSON.stringify(item.content))}::jsonb[],
                  ${items.map((item) => item.runId)}::bigint[],
                  ${placed.map(({ share }) => share)}::integer[],
                  ${placed.map(({ place }) => place)}::integer[])
        as message (tenant_id, token_id, number_id, phone, kind, content, run_id, share, place)
      -- Not a join: worked out once, it costs next to nothing for each message.
      where place <= (
        select array_agg(granted_now order by tenant_id, token_id) from counted)[share]
      returning id
    )`;
}

function writtenRows(clockOffsetMs: number): Sql {
  return sql`
    select tenant_id, token_id, minute_requests, day_messages, granted_now,
           ${resetsAfter(moment(clockOffsetMs))}, null::bigint as id
    from counted
    union all
    select null, null, null, null, null, null, null, id from written`;
}

/** Without it nobody would be told: what is not asked for is not run. */
const toldRow = sql`select null, null, null, null, null, null, null, null from told`;

/** Each send's place in its token's minute and day, and its id when it was written. */
function placesOf(
  asked: NewMessage[],
  shares: TokenShare<NewMessage>[],
  rows: Row[],
): WrittenDown[] {
  const counts = new Map<string, ShareCounts>();
  const ids: number[] = [];
  for (const row of rows) {
    if (row.tenant_id !== null) counts.set(`${row.tenant_id} ${row.token_id}`, row);
    else if (row.id !== null) ids.push(row.id);
  }
  ids.sort((a, b) => a - b);

  const places = new Map<NewMessage, WrittenDown>();
  let written = 0;
  for (const { tenantId, tokenId, items } of shares) {
    const count = counts.get(`${tenantId} ${tokenId}`)!;
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
  }
  return asked.map((item) => places.get(item)!);
}
