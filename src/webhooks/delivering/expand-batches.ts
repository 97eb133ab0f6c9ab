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
        ), created as (
          insert into deliveries (tenant_id, event, body, created_at)
          select batch.tenant_id, batch.event,
                 '{"event":' || to_json(batch.event) || ',"data":' || item.data || '}',
                 batch.created_at
          from batch
          cross join json_array_elements(batch.data::json) with ordinality as item (data, position)
          order by batch.id, item.position
          returning ${wakeDeliverers}
        )
        select count(*) from batch`,
    ),
  );
  return rows[0]!.count;
}
