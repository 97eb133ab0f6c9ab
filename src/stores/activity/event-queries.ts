import sql, { empty, type Sql } from 'sql-template-tag';
import type { Failure } from '../../messages/failure-message.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Fault } from '../../platform/errors/fault.ts';
import type { Topic } from '../schema.ts';

export const storeEventStates = ['waiting', 'done', 'nothing_to_do', 'skipped', 'failed'] as const;

export type StoreEventState = (typeof storeEventStates)[number];

export type StoreEventRow = {
  tenant_id: number;
  store_id: number;
  id: number;
  topic: Topic | null;
  headers: Record<string, string>;
  received_at: Date;
  replay_of: number | null;
  state: StoreEventState;
  reason: string | null;
  reason_says: Fault | null;
  attempts: number;
  processed_at: Date | null;
  due_at: Date | null;
  contact_id: number | null;
  /** The number of an order, or the id of another resource, and the buyer's phone; null if they could not be read. */
  resource_number: string | null;
  phone: string | null;
  /** The network's id of the message, as the API has it; null while there is none. */
  message_id: string | null;
  /** It has sent a message, or may have: a replay sends it once more. */
  has_sent: boolean;
  /** The error of a message that the network accepted, and that failed later. */
  message_error: Failure | null;
};

/** Joins the message of an event. */
export const messageOfEvent: Sql = sql`left join message_states as message
  on message.tenant_id = event.tenant_id and message.message_id = event.message_id`;

/** Whether an event has no message, or one that was certainly not sent. */
export const hasSentNothing: Sql = sql`(event.message_id is null
  or (message.status is not distinct from 'failed' and message.network_id is null))`;

/** `settled_later`: the network's response was lost, but a status callback reported the message later. */
const events: Sql = sql`store_events as event ${messageOfEvent}
  cross join lateral (
    select event.state = 'failed' and event.due_at is null and message.network_id is not null
           as settled_later
  ) as later
  cross join lateral (select case when settled_later then 'done' else event.state end) as shown (state)`;

const columns: Sql = sql`event.tenant_id, event.store_id, event.id, event.topic, event.headers,
  event.received_at, event.replay_of, shown.state,
  case when not settled_later then event.reason end as reason, event.reason_says, event.attempts, event.processed_at,
  event.due_at, event.contact_id, event.resource_number, event.phone, message.network_id as message_id,
  case when message.status = 'failed' and message.network_id is not null then message.error end
    as message_error,
  not ${hasSentNothing} as has_sent`;

/** The number of an order and the phone of a buyer that a text can mean. */
export type EventSearch = { numbers: string[]; phone: string | undefined };

/**
 * Lists the events of a store, the newest first.
 *
 * @param before only events older than this one, to page on
 */
export async function listStoreEvents(
  db: Db,
  tenantId: number,
  storeId: number,
  {
    limit,
    before,
    state,
    search,
  }: { limit: number; before?: number; state?: StoreEventState; search?: EventSearch },
): Promise<StoreEventRow[]> {
  const { rows } = await db.query<StoreEventRow>(sql`
    select ${columns} from ${events}
    where event.tenant_id = ${tenantId} and event.store_id = ${storeId}
      and event.id < ${before ?? Number.MAX_SAFE_INTEGER} ${state === undefined ? empty : hasState(state)}
      ${search === undefined ? empty : isAbout(search)}
    order by event.id desc limit ${limit}`);
  return rows;
}

/** Every state but `done`, which most events have, is found by an index, also if no event of many has it. */
function hasState(state: StoreEventState): Sql {
  if (state === 'waiting') return sql`and event.state = 'waiting' and event.due_at is not null`;
  // An event that failed can be shown as done.
  const stored = state === 'done' ? sql`in ('done', 'failed')` : sql`= ${state}`;
  return sql`and event.state ${stored} and shown.state = ${state}`;
}

function isAbout({ numbers, phone }: EventSearch): Sql {
  return sql`and (event.resource_number = any(${numbers}::text[]) or event.phone = ${phone ?? null})`;
}

export async function findStoreEvent(
  db: Db,
  tenantId: number,
  storeId: number,
  id: number,
): Promise<(StoreEventRow & { body: Buffer }) | undefined> {
  const { rows } = await db.query<StoreEventRow & { body: Buffer }>(sql`
    select ${columns}, event.body from ${events}
    where event.tenant_id = ${tenantId} and event.store_id = ${storeId} and event.id = ${id}`);
  return rows[0];
}
