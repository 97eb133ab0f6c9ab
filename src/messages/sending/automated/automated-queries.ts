import sql from 'sql-template-tag';
import type { Db } from '../../../platform/database/database.ts';
import { statement } from '../../../platform/database/statement.ts';
import { conversationsOfSent, personOf } from '../../conversations/person.ts';
import { type MessageRow, stateColumns, withStates } from '../../queries.ts';
import type { AutomatedCause } from '../../record/cause.ts';

/** Stores a message that no token sends, before it is sent. Returns its id. */
export async function insertAutomatedMessage(
  tx: Db,
  tenantId: number,
  message: {
    numberId: number;
    phone: string;
    kind: string;
    content: object;
    cause: AutomatedCause;
  },
): Promise<number> {
  const causeId = 'id' in message.cause ? String(message.cause.id) : null;
  const { rows } = await tx.query<{ id: number }>(
    statement(
      'insert-automated-message',
      sql`
        with message as materialized (
          select ${tenantId}::bigint as tenant_id, nextval('messages_id_seq') as id,
                 ${message.numberId}::bigint as number_id, ${message.phone}::text as phone,
                 ${personOf(tenantId, sql`${message.phone}::text`)} as person
        ), conversation as (
          ${conversationsOfSent(sql`message`, sql`false`)}
        )
        insert into messages (tenant_id, id, number_id, direction, person, phone, kind, content,
                              created_at, cause, cause_id)
        select tenant_id, id, number_id, 'out', person, nullif(phone, person), ${message.kind},
               ${JSON.stringify(message.content)}::jsonb, now(), ${message.cause.kind},
               ${causeId}
        from message
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
    select ${stateColumns} from messages ${withStates}
    where messages.tenant_id = ${tenantId} and messages.id = ${id}`);
  return rows[0];
}
