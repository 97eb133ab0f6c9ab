import sql, { type Sql } from 'sql-template-tag';
import {
  type RequestCount,
  resets,
  shareByToken,
  type TokenShare,
} from '../../limits/counted-minute.ts';
import { type Db, prepared } from '../../platform/database/database.ts';
import { type Completion, completionArrays } from './send-queries.ts';

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

/** What a token's share of a batch came to; the last row has only `ids`. */
type ShareRow = {
  /** The token's requests of the minute, its share included. */
  minute_requests: number;
  minute_start: Date;
  /** The token's messages of the day, what was granted of its share included. */
  day_messages: number;
  granted_now: number;
  minute_reset_seconds: number;
  day_reset_seconds: number;
  /** Of all messages that were written, in the order of the shares; null for none. */
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
  const shares = sharesOf(asked);
  const { rows } = await db.query<ShareRow>(
    prepared(
      'write-down-messages',
      sql`
        select written.*, ${resets}
        from ${moment(clockOffsetMs)}
        cross join lateral write_down_messages(at, ${sharesArrays(shares)}) as written`,
    ),
  );
  return answers(asked, shares, rows);
}

/**
 * Writes down sends and completes others in one statement: under load both are always there, and a
 * statement fewer is a wait for the disk fewer. None of `completed` is refunded: giving back takes
 * a lock out of the order in which the sends take theirs.
 */
export async function writeDownAndComplete(
  db: Db,
  asked: NewMessage[],
  completed: Completion[],
  clockOffsetMs: number,
): Promise<WrittenDown[]> {
  const shares = sharesOf(asked);
  const { rows } = await db.query<ShareRow>(
    prepared(
      'write-down-and-complete',
      sql`
        select written.*, ${resets}
        from ${moment(clockOffsetMs)}
        cross join lateral complete_and_write_down_messages(
          at, ${completionArrays(completed)}, ${sharesArrays(shares)}) as written`,
    ),
  );
  return answers(asked, shares, rows);
}

const moment = (clockOffsetMs: number) =>
  sql`(select now() + ${clockOffsetMs}::float8 * interval '1 ms' as at) as moment`;

/** Of each token first the messages that were counted before: they pass the minute in any case. */
function sharesOf(asked: NewMessage[]): TokenShare<NewMessage>[] {
  return shareByToken(asked.toSorted((a, b) => Number(isUncounted(a)) - Number(isUncounted(b))));
}

function isUncounted({ counted }: NewMessage): boolean {
  return counted === undefined;
}

/** What the functions of migration 0020 take of new messages. */
function sharesArrays(shares: TokenShare<NewMessage>[]): Sql {
  const items = shares.flatMap((share) => share.items);
  return sql`
    ${shares.map((share) => share.tenantId)}, ${shares.map((share) => share.tokenId)},
    ${shares.map((share) => share.items.length)},
    ${shares.map((share) => share.items.filter(isUncounted).length)},
    ${shares.map((share) => share.items[0]!.requestsPerMinute)},
    ${shares.map((share) => share.items[0]!.messagesPerDay)},
    ${items.map((item) => item.numberId)}, ${items.map((item) => item.phone)},
    ${items.map((item) => item.kind)}, ${items.map((item) => JSON.stringify(item.content))},
    ${items.map((item) => item.runId)}`;
}

/** Each send's place in its token's minute and day, and its id when it was written. */
function answers(
  asked: NewMessage[],
  shares: TokenShare<NewMessage>[],
  rows: ShareRow[],
): WrittenDown[] {
  const answered = new Map<NewMessage, WrittenDown>();
  const ids = rows.at(-1)!.ids ?? [];
  let written = 0;
  shares.forEach(({ items }, index) => {
    const row = rows[index]!;
    items.forEach((item, place) => {
      const fits = place < row.granted_now;
      answered.set(item, {
        minute_used: item.counted?.minute_used ?? row.minute_requests - items.length + place + 1,
        minute_reset_seconds: item.counted?.minute_reset_seconds ?? row.minute_reset_seconds,
        day_used: row.day_messages - (fits ? row.granted_now - place - 1 : 0),
        day_reset_seconds: row.day_reset_seconds,
        id: fits ? Number(ids[written++]) : null,
      });
    });
  });
  return asked.map((item) => answered.get(item)!);
}
