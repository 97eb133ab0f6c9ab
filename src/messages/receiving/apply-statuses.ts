import sql, { raw, type Sql } from 'sql-template-tag';
import { reachedColumns, recordedStates } from '../../events/record-message-events.ts';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { notifyConversations } from '../conversations/live/conversation-changes.ts';
import { phoneOfMessage } from '../conversations/person.ts';
import { earliestSent, hasNetworkId, type Pricing } from '../queries.ts';

/** A status of one message that the network reported, with our id if the callback has it. */
export type ReportedStatus = {
  tenantId: number;
  id: number | null;
  networkId: string;
  status: 'sent' | 'delivered' | 'read' | 'failed';
  at: Date;
  error: object | null;
  /** The price category, if the report has one. */
  pricing: Pricing | null;
};

/**
 * Applies reported statuses in one statement. Repeats and any order give the same result, also within a
 * batch. A message is found by our id if the callback has it, otherwise by the network's id.
 */
export async function applyStatuses(db: Db, reported: ReportedStatus[]): Promise<void> {
  await db.query(
    statement(
      'apply-statuses',
      sql`
        with reported as (
          select tenant_id, network_id, status, at, error, pricing,
                 coalesce(id, (select state.message_id from message_states as state
                               where state.tenant_id = reported.tenant_id
                                 and ${hasNetworkId(sql`reported.network_id`)})) as id
          from ${rowsOf('reported', reported, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            id: ['bigint', ({ id }) => id],
            network_id: ['text', ({ networkId }) => networkId],
            status: ['text', ({ status }) => status],
            at: ['timestamptz', (each) => each.at.toISOString()],
            error: ['text', (each) => each.error && JSON.stringify(each.error)],
            pricing: ['text', (each) => each.pricing && JSON.stringify(each.pricing)],
          })}
        ), gathered as (
          select tenant_id, id, network_id,
                 min(at) filter (where status = 'sent') as sent_at,
                 min(at) filter (where status = 'delivered') as delivered_at,
                 min(at) filter (where status = 'read') as read_at,
                 min(at) filter (where status = 'failed') as failed_at,
                 min(error) as error, min(pricing) as any_price,
                 min(pricing) filter (where status in ('delivered', 'read')) as last_price
          from reported where id is not null
          -- Another service with the same number may have given its message the same reference.
          group by tenant_id, id, network_id
        ), reached as (
          select distinct on (gathered.tenant_id, gathered.id)
                 gathered.tenant_id, gathered.id, gathered.network_id, gathered.error, messages.created_at,
                 ${notBeforeCreated(sql`gathered.sent_at`)} as sent_at,
                 ${notBeforeCreated(sql`gathered.delivered_at`)} as delivered_at,
                 ${notBeforeCreated(sql`gathered.read_at`)} as read_at,
                 ${notBeforeCreated(sql`gathered.failed_at`)} as failed_at, ${phoneOfMessage} as phone,
                 coalesce(last_price::jsonb, known.pricing, any_price::jsonb) as pricing,
                 case when gathered.read_at is not null then 'read'::message_status
                      when gathered.delivered_at is not null then 'delivered'
                      when gathered.failed_at is not null then 'failed'
                      else 'sent' end as status
          from gathered
          join messages on messages.tenant_id = gathered.tenant_id and messages.id = gathered.id
          left join message_states as known
            on known.tenant_id = gathered.tenant_id and known.message_id = gathered.id
          where direction = 'out'
            and coalesce(known.network_id, gathered.network_id) = gathered.network_id
          order by gathered.tenant_id, gathered.id
        ), stored as (
          insert into message_states as state
            (tenant_id, message_id, created_at, network_id, error, sent_at, delivered_at, read_at,
             failed_at, status, pricing)
          select tenant_id, id, created_at, network_id, error::jsonb,
                 case when sent_at is not null then least(sent_at, delivered_at, read_at, failed_at) end,
                 delivered_at, read_at, failed_at, status, pricing
          from reached
          on conflict (tenant_id, message_id) do update set
            network_id = coalesce(state.network_id, excluded.network_id),
            sent_at = ${earliestSent(notBeforeResponse)},
            delivered_at = least(state.delivered_at, ${notBeforeResponse('delivered_at')}),
            read_at = least(state.read_at, ${notBeforeResponse('read_at')}),
            failed_at = least(state.failed_at, ${notBeforeResponse('failed_at')}),
            error = coalesce(state.error, excluded.error),
            -- The network bills what it delivered. Not every report has a price.
            pricing = case when coalesce(excluded.delivered_at, excluded.read_at) is not null
              then coalesce(excluded.pricing, state.pricing)
              else coalesce(state.pricing, excluded.pricing) end,
            status = greatest(state.status, excluded.status),
            earlier_status = state.status
          where coalesce(state.network_id, excluded.network_id) = excluded.network_id
          returning ${reachedColumns}
        ), ${recordedStates(sql`stored`)}, updated as materialized (
          select tenant_id, phone, message_id from stored
          join reached using (tenant_id) where reached.id = message_id
        )
        ${notifyConversations(sql`updated`, sql`message_id`)}`,
    ),
  );
}

/**
 * The network's times are whole seconds, so the second of the creation would be before it. Clocks may differ by some
 * seconds, too.
 */
function notBeforeCreated(at: Sql): Sql {
  return sql`case when ${at} > messages.created_at - interval '5 seconds'
    then greatest(${at}, messages.created_at) else ${at} end`;
}

/**
 * A time that is stored with a fraction of a second is that of the response to the send, or of the creation, and clients
 * may have read it. No status that follows seems to be from before.
 */
function notBeforeResponse(column: string): Sql {
  const at = raw(`excluded.${column}`);
  return sql`case when ${at} >= excluded.created_at and state.sent_at <> date_trunc('second', state.sent_at)
    then greatest(${at}, state.sent_at) else ${at} end`;
}
