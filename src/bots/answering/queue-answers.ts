import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';

/** NOTIFY channel: there are inbound messages for bots to look at. */
export const answersChannel = 'bot_answers';

/**
 * Puts new inbound messages of tenants with active bots into the queue, in the transaction that
 * writes them down: a message comes here once, however often the network tells of it.
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
