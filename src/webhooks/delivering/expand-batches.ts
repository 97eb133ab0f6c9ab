import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { wakeDeliverers } from '../record-events.ts';

/**
 * Creates deliveries from the oldest batches of events. They are durable before anything is sent, so that a
 * delivery is never repeated with another id.
 *
 * @returns how many batches there were, up to `limit`
 */
export async function expandBatches(db: Db, limit: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    statement(
      'expand-batches',
      sql`
        with batch as (
          delete from event_batches where (tenant_id, id) in (
            select tenant_id, id from event_batches order by id limit ${limit}
            for update skip locked
          )
          returning *
        ), event as materialized (
          select batch.*, item.data as record, item.position, nextval('event_ids') as event_id
          from batch
          cross join json_array_elements(batch.data::json) with ordinality as item (data, position)
          order by batch.id, item.position
        ), created as (
          insert into deliveries (tenant_id, webhook_id, event_id, event, body, person, created_at)
          select event.tenant_id, webhooks.id, event.event_id, event.event,
                 concat('{"event":', to_json(event.event), ',"data":', event.record, '}'),
                 case when event.event like 'contact.%' then event.record ->> 'phone' end,
                 event.created_at
          from event
          -- An endpoint may have been removed meanwhile.
          join webhooks on webhooks.tenant_id = event.tenant_id and webhooks.id = any(event.webhook_ids)
          order by event.event_id
          returning ${wakeDeliverers}
        )
        select count(*) from batch`,
    ),
  );
  return rows[0]!.count;
}
