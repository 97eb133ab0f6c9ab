import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { statement } from '../platform/database/statement.ts';

/** A condition on `messages` that excludes those deleted with their contact. */
export const notErased: Sql = sql`not exists (
  select from conversation_removals as removal
  where removal.tenant_id = messages.tenant_id and removal.phone = messages.phone
    and messages.id <= removal.up_to_id)`;

export type MessageRow = {
  id: number;
  /** Null until the network has accepted the message. */
  network_id: string | null;
  direction: 'out' | 'in';
  phone: string;
  kind: string;
  status: 'accepting' | 'unknown' | 'sent' | 'failed' | 'delivered' | 'read' | 'received';
  error: { code: number | null; title: string; details: string | null } | null;
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
> & { status: Exclude<MessageRow['status'], 'received'> };

const stateColumns: Sql = sql`
  id, network_id, status, error, created_at, sent_at, delivered_at, read_at, failed_at`;

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
        select ${stateColumns} from messages
        where tenant_id = ${tenantId} and network_id = ${networkId} and direction = 'out'
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
        select ${stateColumns} from messages
        where tenant_id = ${tenantId} and id = ${id} and direction = 'out' and ${notErased}`,
    ),
  );
  return rows[0];
}
