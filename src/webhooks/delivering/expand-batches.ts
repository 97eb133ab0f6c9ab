import sql from 'sql-template-tag';
import { hasLog } from '../../events/is-wanted.ts';
import { recordedForLog } from '../../events/record-for-log.ts';
import { createBatch } from '../../platform/database/batching.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Log } from '../../platform/log.ts';
import { logFailure } from '../../platform/log-failure.ts';
import { insertedDeliveries, personOfEvent, wantingEndpoints } from '../insert-deliveries.ts';

/** Batches of up to 500 events that one statement turns into deliveries. */
const maxBatches = 10;

/**
 * Creates a function that turns all batches of events into deliveries. Calls that arrive while it runs share the next
 * run. Failures are logged, and retried by the next call.
 */
export function createBatchExpander(
  services: { db: Database; log: Log },
  isStopped: () => boolean,
): () => Promise<void> {
  const { batched } = services.db;
  const expand = createBatch<void, void>({
    run: async () => {
      while (!isStopped() && (await expandBatches(batched, maxBatches)) === maxBatches);
    },
    maxSize: Number.POSITIVE_INFINITY,
  });
  return () =>
    expand().catch((err) => logFailure(services, err, 'creating deliveries of events failed'));
}

/**
 * Creates deliveries from the oldest batches of events, and puts the events into the outbox for the log. Deliveries
 * are stored before any of them is sent, so that none is repeated with another id.
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
          select batch.*, item.data as record, nextval('event_ids') as event_id
          from batch
          cross join json_array_elements(batch.data::json) with ordinality as item (data, position)
          order by batch.id, item.position
        ), wanted_event as materialized (
          select event.tenant_id, event.event as type, event.event_id, event.created_at,
                 event.record as data, wanting.*,
                 concat('{"event":', to_json(event.event), ',"data":', event.record, '}') as body,
                 ${personOfEvent(sql`event.tenant_id`, sql`event.event`, sql`event.record`)} as person
          from event
          -- An endpoint may have been removed meanwhile.
          cross join lateral (
            select ${wantingEndpoints}
            from webhooks
            where webhooks.tenant_id = event.tenant_id and webhooks.id = any(event.webhook_ids)
          ) as wanting
          where wanting.webhook_ids is not null or ${hasLog(sql`event.tenant_id`)}
        ), ${recordedForLog(sql`wanted_event`)}, created as (${insertedDeliveries(sql`wanted_event`)})
        select count(*) from batch`,
    ),
  );
  return rows[0]!.count;
}
