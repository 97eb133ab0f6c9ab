import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { moment } from '../../platform/database/moment.ts';
import { prepared } from '../../platform/database/prepared.ts';

/** NOTIFY channel: there are inbound messages for bots to look at. */
export const answersChannel = 'bot_answers';

/**
 * Puts new inbound messages of tenants with active bots into the queue, in the transaction that
 * writes them down: a message comes here once, however often the network tells of it.
 */
export async function queueAnswers(
  tx: Db,
  received: { tenantId: number; id: number; phone: string }[],
  clockOffsetMs: number,
): Promise<void> {
  await tx.query(
    prepared(
      'queue-answers',
      sql`
        with queued as (
          insert into bot_answers (tenant_id, inbound_id, phone, due_at, created_at)
          select tenant_id, inbound_id, phone, at, at
          from unnest(${received.map((each) => each.tenantId)}::bigint[],
                      ${received.map((each) => each.id)}::bigint[],
                      ${received.map((each) => each.phone)}::text[])
               as received (tenant_id, inbound_id, phone)
          cross join (select ${moment(clockOffsetMs)} as at) as moment
          where exists (
            select from bots where bots.tenant_id = received.tenant_id and bots.active)
          returning tenant_id
        )
        select pg_notify(${answersChannel}, '') where exists (select from queued)`,
    ),
  );
}
