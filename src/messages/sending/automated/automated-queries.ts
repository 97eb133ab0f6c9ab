import sql from 'sql-template-tag';
import type { Db } from '../../../platform/database/database.ts';
import { statement } from '../../../platform/database/statement.ts';
import type { MessageRow } from '../../queries.ts';

/** Stores a message that no token sends, as `accepting`. Returns its id. */
export async function insertAutomatedMessage(
  tx: Db,
  tenantId: number,
  message: {
    numberId: number;
    phone: string;
    kind: string;
    content: object;
  },
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    statement(
      'insert-automated-message',
      sql`
        insert into messages (tenant_id, number_id, direction, phone, kind, content, status,
                              created_at)
        values (${tenantId}, ${message.numberId}, 'out', ${message.phone}, ${message.kind},
                ${JSON.stringify(message.content)}, 'accepting', now())
        returning id`,
    ),
  );
  return rows[0]!.id;
}

/** Finds the status of a message by our id; undefined if it was deleted with its contact. */
export async function findMessageState(
  db: Db,
  tenantId: number,
  id: number,
): Promise<Pick<MessageRow, 'status' | 'network_id'> | undefined> {
  const { rows } = await db.query<Pick<MessageRow, 'status' | 'network_id'>>(sql`
    select status, network_id from messages where tenant_id = ${tenantId} and id = ${id}`);
  return rows[0];
}
