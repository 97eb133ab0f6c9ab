import sql, { raw, type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { statement } from '../platform/database/statement.ts';

/** A condition on `messages` that excludes those deleted with their contact. */
export const notErased: Sql = sql`not exists (
  select from conversations as conversation
  where conversation.tenant_id = messages.tenant_id and conversation.person = messages.person
    and conversation.removed_to >= messages.id)`;

/** Joins the delivery states to `messages`. A message without one is `accepting`. */
export const withStates: Sql = sql`
  left join message_states as state
    on state.tenant_id = messages.tenant_id and state.message_id = messages.id`;

/** A condition on `state`: the network's id, by the hashes in the index. */
export function hasNetworkId(networkId: Sql | string): Sql {
  return sql`(hashtextextended(state.network_id, 1) = hashtextextended(${networkId}, 1)
    and hashtextextended(state.network_id, 2) = hashtextextended(${networkId}, 2)
    and state.network_id = ${networkId})`;
}

/** `status` is that of the network's response, and absent if a callback or nothing reported the failure. */
export type MessageError = {
  code: number | null;
  title: string;
  details: string | null;
  status?: number;
  /** Whether the response was an error of the network itself, and not, for example, of a proxy. */
  from_network?: boolean;
};

/** `type` is `regular`, or why the message costs nothing. */
export type Pricing = { category: string; type: string; billable: boolean };

export type MessageRow = {
  id: number;
  /** Null until the network has accepted the message. */
  network_id: string | null;
  direction: 'out' | 'in';
  phone: string;
  kind: string;
  status: 'accepting' | 'unknown' | 'sent' | 'failed' | 'delivered' | 'read' | 'received';
  error: MessageError | null;
  created_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
};

/** The delivery state of an outbound message. */
export type MessageState = Pick<
  MessageRow,
  | 'id'
  | 'network_id'
  | 'error'
  | 'created_at'
  | 'sent_at'
  | 'delivered_at'
  | 'read_at'
  | 'failed_at'
> & { status: Exclude<MessageRow['status'], 'received'>; reference: string | null };

/** The columns of `MessageState` but `reference`, of `messages` with states. */
export const stateColumns: Sql = sql`
  messages.id, state.network_id, coalesce(state.status, 'accepting') as status, state.error,
  messages.created_at, state.sent_at, state.delivered_at, state.read_at, state.failed_at`;

/** Finds an outbound message by the network's id. */
export async function findMessage(
  db: Db,
  tenantId: number,
  networkId: string,
): Promise<MessageState | undefined> {
  const { rows } = await db.query<MessageState>(
    statement(
      'find-message',
      sql`
        select ${stateColumns}, reference
        from message_states as state
        join messages on messages.tenant_id = ${tenantId} and messages.id = state.message_id
        where state.tenant_id = ${tenantId} and ${hasNetworkId(networkId)} and direction = 'out'
          and ${notErased}`,
    ),
  );
  return rows[0];
}

/** Finds an outbound message by our id. */
export async function findMessageById(
  db: Db,
  tenantId: number,
  id: number,
): Promise<MessageState | undefined> {
  const { rows } = await db.query<MessageState>(
    statement(
      'find-message-by-id',
      sql`
        select ${stateColumns}, reference from messages ${withStates}
        where messages.tenant_id = ${tenantId} and messages.id = ${id} and direction = 'out'
          and ${notErased}`,
    ),
  );
  return rows[0];
}

/** Finds our id of a message in either direction by the network's id. */
export async function findIdByNetworkId(
  db: Db,
  tenantId: number,
  networkId: string,
): Promise<number | undefined> {
  const { rows } = await db.query<{ message_id: number }>(
    statement(
      'find-message-id-by-network-id',
      sql`
        select message_id from message_states as state
        where state.tenant_id = ${tenantId} and ${hasNetworkId(networkId)}`,
    ),
  );
  return rows[0]?.message_id;
}

/**
 * Builds `sent_at` in the upsert of a state. The network's times are whole seconds and ours are not, so it may seem that a
 * message was delivered before we had the response to its send.
 *
 * @param added the value of a column that the upsert adds
 */
export function earliestSent(added = (column: string) => raw(`excluded.${column}`)): Sql {
  return sql`case when coalesce(state.sent_at, excluded.sent_at) is not null
    then least(state.sent_at, ${added('sent_at')}, state.delivered_at, ${added('delivered_at')},
               state.read_at, ${added('read_at')}, state.failed_at, ${added('failed_at')}) end`;
}
