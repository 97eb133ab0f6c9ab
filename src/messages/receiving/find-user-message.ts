import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { InboundContent } from '../../whatsapp/read-inbound.ts';
import { notErased } from '../queries.ts';

/** Inbound kinds that are not a new message by a person. */
const otherKinds = ['reaction', 'edit', 'revoke', 'system', 'unsupported'];

/** Tells whether a message of this kind is a new message by a person, so that a bot may reply. */
export function isUserMessage(kind: string): boolean {
  return !otherKinds.includes(kind);
}

export type UserMessage = {
  id: number;
  number_id: number;
  phone: string;
  content: InboundContent;
  /** Whether its phone has no earlier message. */
  is_first: boolean;
};

/** Finds an inbound message by our id. Returns undefined if it was deleted with its contact. */
export async function findUserMessage(
  db: Db,
  tenantId: number,
  id: number,
): Promise<UserMessage | undefined> {
  const { rows } = await db.query<UserMessage>(
    statement(
      'find-user-message',
      sql`
        select message.id, message.number_id, message.phone, message.content, not exists (
                 select from messages
                 where tenant_id = message.tenant_id and phone = any(phone_forms(message.phone))
                   and direction = 'in' and id < message.id
                   and kind <> all(${otherKinds}) and ${notErased}
               ) as is_first
        from (
          select tenant_id, id, number_id, phone, content from messages
          where tenant_id = ${tenantId} and id = ${id} and direction = 'in' and ${notErased}
        ) as message`,
    ),
  );
  return rows[0];
}
