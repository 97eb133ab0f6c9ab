import sql, { type Sql } from 'sql-template-tag';
import { insertedDeliveries, wantingEndpoints } from '../../webhooks/insert-deliveries.ts';

/**
 * CTEs that create the deliveries of events at the endpoints that have chosen them. For an endpoint that gathers
 * inbound messages, these are kept until they are due.
 *
 * @param events a CTE (tenant_id, event_id, created_at, type, data, person, number_id, kind, cause) of events that
 *   endpoints opt in to. Deliveries of the others are created by the statements that record them
 */
export function deliveredToEndpoints(events: Sql): Sql {
  return sql`
    wanted as materialized (
      select event.tenant_id, event.event_id, event.created_at, event.type, event.person,
             concat('{"event":"', event.type, '","data":', event.data, '}') as body, wanting.*
      from ${events} as event
      cross join lateral (
        select ${wantingEndpoints}
        from webhooks
        where ${isChosen(sql`event.type, ${familyOf}`)}
          and not (event.type = 'message.received' and webhooks.gather_seconds is not null)
      ) as wanting
      where wanting.webhook_ids is not null
    ), delivered as (
      ${insertedDeliveries(sql`wanted`)}
    ), gathered as (
      insert into gathered_messages (tenant_id, webhook_id, person, event_id, data, due_at)
      select event.tenant_id, webhooks.id, event.person, event.event_id, event.data,
             coalesce((
               select min(waiting.due_at) from gathered_messages as waiting
               where waiting.tenant_id = event.tenant_id and waiting.webhook_id = webhooks.id
                 and waiting.person = event.person
             ), now() + webhooks.gather_seconds * interval '1 s')
      from ${events} as event
      join webhooks on ${isChosen(sql`event.type, event.type || '_batch', ${familyOf}`)}
        and webhooks.gather_seconds is not null
      where event.type = 'message.received'
    )`;
}

const familyOf = sql`split_part(event.type, '.', 1) || '.*'`;

/** Whether an endpoint has chosen an event by one of these names, and the event passes its filters. */
function isChosen(names: Sql): Sql {
  return sql`(
    webhooks.tenant_id = event.tenant_id and webhooks.recorded_events && array[${names}]
    and (webhooks.number_ids is null or event.number_id is null or event.number_id = any(webhooks.number_ids))
    and (webhooks.kinds is null or event.kind is null or event.kind = any(webhooks.kinds))
    and (webhooks.causes is null or event.cause is null or event.cause = any(webhooks.causes)))`;
}
