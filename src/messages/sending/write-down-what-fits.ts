import sql, { type Sql } from 'sql-template-tag';
import { resets, type TokenShare } from '../../limits/counted-minute.ts';
import { type Db, prepared } from '../../platform/database/database.ts';
import { isUncounted, type NewMessage, sharesOf, type WrittenDown } from './new-messages.ts';
import { moment } from './send-queries.ts';

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
 * are raised once by its share of the batch, the day's by no more than fits. Where all fit,
 * `writeDownAll` does the same for less.
 */
export async function writeDownWhatFits(
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
        from (select ${moment(clockOffsetMs)} as at) as moment
        cross join lateral write_down_messages(at, ${sharesArrays(shares)}) as written`,
    ),
  );
  return answers(asked, shares, rows);
}

/** What the function of migration 0020 takes of new messages. */
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
