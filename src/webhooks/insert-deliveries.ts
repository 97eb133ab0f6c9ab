import sql, { type Sql } from 'sql-template-tag';
import { personOf } from '../messages/conversations/person.ts';
import { endpointKeyOf } from './endpoint-key.ts';

/**
 * Goes into the `returning` of a statement that creates or requeues deliveries, so that its commit notifies the
 * delivering processes. A trigger would be slower.
 */
export const wakeDeliverers: Sql = sql`
  pg_notify('deliveries', ${endpointKeyOf(sql`tenant_id`, sql`webhook_id`)})`;

/**
 * Columns of a query over `webhooks`, grouped by tenant: the endpoints that want an event, and those of them that
 * take the events of a person one after another.
 */
export const wantingEndpoints: Sql = sql`
  array_agg(webhooks.id) as webhook_ids,
  array_agg(webhooks.id) filter (where webhooks.ordered) as ordered_ids`;

/**
 * An insert of the deliveries of events, as a CTE or a statement: one at each of the event's endpoints, in the order
 * of the events. At an ordered endpoint, a delivery waits if an earlier one of its person does: it is due at
 * `infinity` until `releaseNext` or `releaseLeftBehind` finds that it is the next.
 *
 * @param wanted a CTE `(tenant_id, webhook_ids, ordered_ids, event_id, type, body, person, created_at)`. `person` is
 *   null for events that are not about one.
 */
export function insertedDeliveries(wanted: Sql): Sql {
  const isBehind = sql`(
    row_number() over (partition by tenant_id, webhook_id, person order by event_id) > 1
    or coalesce((
      select true from deliveries as earlier
      where earlier.tenant_id = delivery.tenant_id and earlier.webhook_id = delivery.webhook_id
        and earlier.person = delivery.person and earlier.in_order and earlier.state = 'waiting'
      limit 1
    ), false))`;
  return sql`
    insert into deliveries (tenant_id, webhook_id, event_id, event, body, person, created_at, in_order, due_at)
    select tenant_id, webhook_id, event_id, type, body, person, created_at, in_order,
           case when in_order and ${isBehind} then 'infinity' else now() end
    from (
      select wanted.tenant_id, endpoint.webhook_id, wanted.event_id, wanted.type, wanted.body, wanted.person,
             wanted.created_at,
             coalesce(wanted.person is not null and endpoint.webhook_id = any(wanted.ordered_ids), false)
               as in_order
      from ${wanted} as wanted
      cross join unnest(wanted.webhook_ids) as endpoint (webhook_id)
    ) as delivery
    order by event_id
    returning ${wakeDeliverers}`;
}

/**
 * The person of an event, for `insertedDeliveries`: the key of the conversation with a contact, which events of its
 * messages have too. Events of labels are about no person.
 *
 * @param record the record of the event, as json
 */
export function personOfEvent(tenantId: Sql | number, type: Sql, record: Sql): Sql {
  const identity = sql`coalesce(${record} ->> 'phone', 'user:' || (${record} ->> 'user_id'))`;
  return sql`case when ${type} like 'contact.%' then ${personOf(tenantId, identity)} end`;
}
