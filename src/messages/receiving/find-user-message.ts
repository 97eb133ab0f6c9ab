import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { InboundContent } from '../../whatsapp/callbacks/read-inbound.ts';
import { phoneOfMessage } from '../conversations/person.ts';
import { notErased } from '../queries.ts';

/** Inbound kinds that are not a new message by a person. */
const otherKinds = ['reaction', 'edit', 'revoke', 'system', 'unsupported'];

/** Whether a message of this kind is a new message by a person, so that a bot may reply. */
export function isUserMessage(kind: string): boolean {
  return !otherKinds.includes(kind);
}

/** The same as a condition on the column `kind`. */
export const isKindOfUser: Sql = sql`kind <> all(${otherKinds}::text[])`;

export type UserMessage = {
  id: number;
  number_id: number;
  phone: string;
  content: InboundContent;
  created_at: Date;
  /** Whether its phone has no earlier message. */
  is_first: boolean;
  /** Whether a member answers its conversation: one is assigned, and has taken it since it was last closed. */
  is_with_member: boolean;
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
        select messages.id, messages.number_id, ${phoneOfMessage} as phone, content,
               messages.created_at, messages.id <= first_inbound_id as is_first,
               assignee is not null and is_taken as is_with_member
        from messages
        join conversations
          on conversations.tenant_id = ${tenantId} and conversations.person = messages.person
        where messages.tenant_id = ${tenantId} and messages.id = ${id} and direction = 'in'
          and ${notErased}`,
    ),
  );
  return rows[0];
}
