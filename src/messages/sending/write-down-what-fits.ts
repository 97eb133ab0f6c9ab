import sql, { type Sql } from 'sql-template-tag';
import { resets, type TokenShare } from '../../limits/counted-minute.ts';
import { type Db, prepared } from '../../platform/database/database.ts';
import {
  isUncounted,
  type NewMessage,
  placesOf,
  type ShareCounts,
  sharesOf,
  type WrittenDown,
} from './new-messages.ts';
import { moment } from './send-queries.ts';

/** One for each share; then one with nothing but the ids of all that were written, or null for none. */
type Row = ShareCounts & { ids: string[] | null };

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
  const { rows } = await db.query<Row>(
    prepared(
      'write-down-messages',
      sql`
        select written.*, ${resets}
        from (select ${moment(clockOffsetMs)} as at) as moment
        cross join lateral write_down_messages(at, ${sharesArrays(shares)}) as written`,
    ),
  );
  return placesOf(asked, shares, rows, rows.at(-1)!.ids?.map(Number) ?? []);
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
