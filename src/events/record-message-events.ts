import sql, { type Sql } from 'sql-template-tag';
import { isWanted } from './is-wanted.ts';

/** The channel that wakes the publisher when events are in the outbox. */
export const outboxChannel = 'event_outbox';

/**
 * A CTE that records the events of the states that messages reach, in the statement that stores the states. Nothing
 * is inserted for a tenant that wants no such event, and no message is read in any case.
 *
 * An event is recorded only for a state that is further than all before, and `failed` only for a message that was
 * not delivered. So repeated callbacks in any order give one event for each state, and none goes backwards.
 *
 * @param changed a CTE that returns `reachedColumns` of the changed rows of `message_states`
 */
export function recordedStates(changed: Sql): Sql {
  return recordedInOutbox(sql`
    select changed.tenant_id, changed.message_id, 'message.' || reached.status as event, reached.at
    from ${changed} as changed
    cross join lateral (values
      ('sent'::message_status, changed.sent_at), ('failed', changed.failed_at),
      ('delivered', changed.delivered_at), ('read', changed.read_at)
    ) as reached (status, at)
    where reached.at is not null and reached.status > coalesce(changed.earlier_status, 'accepting')
      and (reached.status <> 'failed' or changed.status = 'failed')
    order by changed.tenant_id, changed.message_id, reached.status`);
}

/** The columns of `message_states` that {@link recordedStates} needs. */
export const reachedColumns: Sql = sql`state.tenant_id, state.message_id, state.earlier_status,
  state.status, state.sent_at, state.failed_at, state.delivered_at, state.read_at`;

/**
 * A CTE that records one event for each of some new messages.
 *
 * @param added a CTE with the tenant_id, id and created_at of the messages
 */
export function recordedMessages(event: 'message.received' | 'message.sent', added: Sql): Sql {
  return recordedInOutbox(sql`
    select added.tenant_id, added.id as message_id, ${event}::text as event, added.created_at as at
    from ${added} as added
    order by added.id`);
}

/** @param events a select with tenant_id, message_id, event and at, in the order of the events */
function recordedInOutbox(events: Sql): Sql {
  return sql`
    recorded_in_outbox as (
      insert into event_outbox (tenant_id, message_id, event, at, created_at)
      select tenant_id, message_id, event, at, now()
      from (${events}) as recorded
      where ${isWanted(sql`recorded.tenant_id`, sql`recorded.event`, sql`'message.*'`)}
      returning pg_notify('event_outbox', '')
    )`;
}
