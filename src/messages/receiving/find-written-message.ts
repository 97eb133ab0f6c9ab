import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { InboundContent } from '../../whatsapp/read-inbound.ts';
import { notErased } from '../queries.ts';

/** Kinds of what the network tells of a phone that are no new message of its owner. */
const unwritten = ['reaction', 'edit', 'revoke', 'system', 'unsupported'];

/** Whether somebody wrote this, so that an answer makes sense. */
export function isWritten(kind: string): boolean {
  return !unwritten.includes(kind);
}

export type WrittenMessage = {
  id: number;
  number_id: number;
  phone: string;
  content: InboundContent;
  /** Whether its phone had never written before. */
  is_first: boolean;
};

/** An inbound message by our own id; undefined when it is gone with its contact. */
export async function findWrittenMessage(
  db: Db,
  tenantId: number,
  id: number,
): Promise<WrittenMessage | undefined> {
  const { rows } = await db.query<WrittenMessage>(
    statement(
      'find-written-message',
      sql`
        select written.id, written.number_id, written.phone, written.content, not exists (
                 select from messages
                 where tenant_id = written.tenant_id and phone = any(phone_forms(written.phone))
                   and direction = 'in' and id < written.id
                   and kind <> all(${unwritten}) and ${notErased}
               ) as is_first
        from (
          select tenant_id, id, number_id, phone, content from messages
          where tenant_id = ${tenantId} and id = ${id} and direction = 'in' and ${notErased}
        ) as written`,
    ),
  );
  return rows[0];
}
