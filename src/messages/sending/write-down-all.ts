import sql, { type Sql } from 'sql-template-tag';
import { raised, type TokenShare } from '../../limits/counted-minute.ts';
import { type Db, prepared } from '../../platform/database/database.ts';
import {
  isUncounted,
  type NewMessage,
  placesOf,
  type ShareCounts,
  sharesOf,
  type WrittenDown,
} from './new-messages.ts';
import { type Completion, completedSteps, moment } from './send-queries.ts';

/** What the statement gives: the counts of each token, and the id of each message. */
type Row =
  | { what: 'minute' | 'day'; tenant_id: number; token_id: number; value: number; reset: number }
  | { what: 'message'; value: number }
  | { what: 'told' };

/**
 * Writes down sends and completes others by one plain statement, as if no token were at a limit: of the
 * ways to do it the one that costs PostgreSQL least (docs/decisions/0001). Answers in the order of `asked`.
 *
 * @param completed may be none; none is refunded: giving back takes a lock out of the order in which the
 *   sends take theirs
 * @throws an error that `isOverLimit`, and has done nothing, where a token is at its limit
 */
export async function writeDownAll(
  db: Db,
  asked: NewMessage[],
  completed: Completion[],
  clockOffsetMs: number,
): Promise<WrittenDown[]> {
  const shares = sharesOf(asked);
  const begins = sql`with ${writtenSteps(shares, clockOffsetMs)}`;
  const { rows } = await db.query<Row>(
    completed.length === 0
      ? prepared('begin-sends', sql`${begins} ${writtenRows(clockOffsetMs)}`)
      : prepared(
          'begin-and-end-sends',
          sql`${begins}, ${completedSteps(completed, clockOffsetMs)}
              ${writtenRows(clockOffsetMs)} union all ${toldRow}`,
        ),
  );
  const { counts, ids } = readRows(shares, rows);
  return placesOf(asked, shares, counts, ids);
}

/** Whether `writeDownAll` gave itself up because a token is at its limit. */
export function isOverLimit(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'PL429';
}

/** Both counts are raised in the order of the tokens' keys, in which every statement locks. */
function writtenSteps(shares: TokenShare<NewMessage>[], clockOffsetMs: number): Sql {
  const at = moment(clockOffsetMs);
  const items = shares.flatMap((share) => share.items);
  const uncounted = shares.map((share) => share.items.filter(isUncounted).length);
  const tenantIds = sql`${shares.map((share) => share.tenantId)}::bigint[]`;
  const tokenIds = sql`${shares.map((share) => share.tokenId)}::bigint[]`;
  return sql`
    minute as (
      insert into token_minutes as kept (tenant_id, token_id, minute, requests, allowed)
      select tenant_id, token_id, date_trunc('minute', ${at}),
             case when requests > allowed then refuse_over_limit() else requests end, allowed
      from unnest(${tenantIds}, ${tokenIds}, ${uncounted}::integer[],
                  ${shares.map((share) => share.items[0]!.requestsPerMinute)}::integer[])
        as share (tenant_id, token_id, requests, allowed)
      on conflict (tenant_id, token_id) do update set
        requests = case when excluded.requests > 0 and ${raised.requests} > excluded.allowed
          then refuse_over_limit() else ${raised.requests} end,
        minute = ${raised.minute},
        allowed = excluded.allowed
      returning tenant_id, token_id, requests, minute
    ), day as (
      insert into token_days as kept (tenant_id, token_id, day, quota, messages, granted)
      select tenant_id, token_id, (${at} at time zone 'utc')::date, quota,
             case when messages > quota then refuse_over_limit() else messages end, messages
      from unnest(${tenantIds}, ${tokenIds}, ${shares.map((share) => share.items.length)}::integer[],
                  ${shares.map((share) => share.items[0]!.messagesPerDay)}::integer[])
        as share (tenant_id, token_id, messages, quota)
      on conflict (tenant_id, token_id, day) do update set
        quota = excluded.quota,
        granted = excluded.granted,
        messages = case when kept.messages + excluded.messages > excluded.quota
          then refuse_over_limit() else kept.messages + excluded.messages end
      returning tenant_id, token_id, messages
    ), written as (
      insert into messages (tenant_id, token_id, number_id, direction, phone, kind, content,
                            status, created_at, run_id)
      select tenant_id, token_id, number_id, 'out', phone, kind, content, 'accepting', ${at}, run_id
      from unnest(${items.map((item) => item.tenantId)}::bigint[],
                  ${items.map((item) => item.tokenId)}::bigint[],
                  ${items.map((item) => item.numberId)}::bigint[],
                  ${items.map((item) => item.phone)}::text[],
                  ${items.map((item) => item.kind)}::text[],
                  ${items.map((item) => JSON.stringify(item.content))}::jsonb[],
                  ${items.map((item) => item.runId)}::bigint[])
        as message (tenant_id, token_id, number_id, phone, kind, content, run_id)
      returning id
    )`;
}

function writtenRows(clockOffsetMs: number): Sql {
  const at = moment(clockOffsetMs);
  return sql`
    select 'minute' as what, tenant_id, token_id, requests::bigint as value,
           ceil(extract(epoch from minute + interval '1 minute' - ${at}))::int as reset
    from minute
    union all
    select 'day', tenant_id, token_id, messages,
           ceil(extract(epoch from date_trunc('day', ${at} at time zone 'utc') + interval '1 day'
             - ${at} at time zone 'utc'))::int
    from day
    union all
    select 'message', null, null, id, null from written`;
}

/** Without it nobody would be told: what is not asked for is not run. */
const toldRow = sql`select 'told', null, null, count(*), null from told`;

/** The counts of each share, all of which was written, and the ids in their order. */
function readRows(
  shares: TokenShare<NewMessage>[],
  rows: Row[],
): { counts: ShareCounts[]; ids: number[] } {
  const minutes = new Map<string, { value: number; reset: number }>();
  const days = new Map<string, { value: number; reset: number }>();
  const ids: number[] = [];
  for (const row of rows) {
    if (row.what === 'message') ids.push(row.value);
    else if (row.what !== 'told') {
      (row.what === 'minute' ? minutes : days).set(`${row.tenant_id} ${row.token_id}`, row);
    }
  }
  const counts = shares.map(({ tenantId, tokenId, items }) => {
    const minute = minutes.get(`${tenantId} ${tokenId}`)!;
    const day = days.get(`${tenantId} ${tokenId}`)!;
    return {
      minute_requests: minute.value,
      minute_reset_seconds: minute.reset,
      day_messages: day.value,
      day_reset_seconds: day.reset,
      granted_now: items.length,
    };
  });
  return { counts, ids: ids.sort((a, b) => a - b) };
}
