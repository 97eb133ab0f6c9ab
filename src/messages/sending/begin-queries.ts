import sql, { type Sql } from 'sql-template-tag';
import {
  countedSends,
  countedWhen,
  type RequestCount,
  type SendShare,
} from '../../limits/token-counts.ts';
import { moment } from '../../platform/database/moment.ts';
import { type Columns, rowOf, rowsOf } from '../../platform/database/rows-of.ts';
import { statement, type Values } from '../../platform/database/statement.ts';
import { type Completion, completedMessages } from './send-queries.ts';

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

/** What a token's share of a batch came to. */
export type ShareCounts = {
  tenant_id: number;
  token_id: number;
  /** The token's requests of the minute, its share included. */
  minute_requests: number;
  minute_start: number;
  /** The token's messages of the day, what was granted of its share included. */
  day_messages: number;
  counted_at: number;
  /** The first so many of the share were written. */
  granted_now: number;
};

/** What the statements for many give: the counts of each token, and the id of each message that was written. */
export type BegunRow = (ShareCounts & { id: null }) | { tenant_id: null; id: number };

/** `messages` have their place among the others of their share, and the place of that share, both from 1. */
export type Begins = {
  shares: SendShare[];
  messages: (NewMessage & { share: number; place: number })[];
  clockOffsetMs: number;
};

export const beginSends = statement<Begins>('begin-sends', (given) => {
  const at = moment(given.clockOffsetMs);
  return sql`with ${writtenSteps(given, at)} ${writtenRows(at)}`;
});

export const beginAndEndSends = statement<Begins & { completed: Completion[] }>(
  'begin-and-end-sends',
  (given) => {
    const at = moment(given.clockOffsetMs);
    return sql`
      with ${writtenSteps(given, at)}, completed as (${completedMessages(rowsOf(given.completed), at)})
      ${writtenRows(at)}`;
  },
);

/** `counted`, a row for each share, and `written`, the ids of the messages in the order of the shares. */
function writtenSteps({ shares, messages }: Values<Begins>, at: Sql): Sql {
  const asked = rowsOf(messages)('message', {
    ...columns(),
    share: ['integer', ({ share }) => share],
    place: ['integer', ({ place }) => place],
  });
  // Not a join: worked out once, it costs next to nothing for each message.
  const granted = sql`(select array_agg(granted_now order by tenant_id, token_id) from counted)[share]`;
  return sql`
    ${countedSends(rowsOf(shares), at)}, written as (
      ${inserted(sql`${asked} where place <= ${granted}`, at)} returning id
    )`;
}

function writtenRows(at: Sql): Sql {
  return sql`
    select tenant_id, token_id, minute_requests, day_messages, granted_now, ${countedWhen(at)},
           null::bigint as id
    from counted
    union all
    select null, null, null, null, null, null, null, id from written`;
}

/** What the statement for one send gives; `id` is null where that does not fit. */
export type LoneBegunRow = Omit<ShareCounts, 'tenant_id' | 'token_id' | 'granted_now'> & {
  id: number | null;
};

/** The same for one send, which costs the database less than arrays of one. */
export const beginLoneSend = statement<{
  share: SendShare;
  message: NewMessage;
  clockOffsetMs: number;
}>('begin-lone-send', ({ share, message, clockOffsetMs }) => {
  const at = moment(clockOffsetMs);
  const asked = rowOf(message)('message', columns());
  return sql`
    with ${countedSends(rowOf(share), at)}, written as (
      ${inserted(sql`${asked} where (select granted_now from counted) > 0`, at)} returning id
    )
    select minute_requests, day_messages, ${countedWhen(at)}, id
    from counted left join written on true`;
});

function columns(): Columns<NewMessage> {
  return {
    tenant_id: ['bigint', ({ tenantId }) => tenantId],
    token_id: ['bigint', ({ tokenId }) => tokenId],
    number_id: ['bigint', ({ numberId }) => numberId],
    phone: ['text', ({ phone }) => phone],
    kind: ['text', ({ kind }) => kind],
    content: ['jsonb', ({ content }) => JSON.stringify(content)],
    run_id: ['bigint', ({ runId }) => runId],
  };
}

function inserted(source: Sql, at: Sql): Sql {
  return sql`
    insert into messages (tenant_id, token_id, number_id, direction, phone, kind, content, status,
                          created_at, run_id)
    select tenant_id, token_id, number_id, 'out', phone, kind, content, 'accepting', ${at}, run_id
    from ${source}`;
}
