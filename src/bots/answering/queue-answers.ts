import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';

/** NOTIFY channel for new messages in the queue. */
export const answersChannel = 'bot_answers';

/**
 * Queues new inbound messages of tenants with active bots, in the transaction that stores the messages. A message is
 * stored once, however often the network reports it, so it is queued once.
 */
export async function queueAnswers(
  tx: Db,
  received: { tenantId: number; id: number; phone: string }[],
): Promise<void> {
  await tx.query(
    statement(
      'queue-answers',
      sql`
        with queued as (
          insert into bot_answers (tenant_id, inbound_id, phone, due_at, created_at)
          select tenant_id, inbound_id, phone, now(), now()
          from ${rowsOf('received', received, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            inbound_id: ['bigint', ({ id }) => id],
            phone: ['text', ({ phone }) => phone],
          })}
          where exists (
            select from bots where bots.tenant_id = received.tenant_id and bots.active)
          returning tenant_id
        )
        select pg_notify(${answersChannel}, '') where exists (select from queued)`,
    ),
  );
}
