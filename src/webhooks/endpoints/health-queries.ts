import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import type { DeliveryState } from '../log/delivery-log-queries.ts';
import type { Recording } from '../quota/quota.ts';

/** The maximum count of waiting deliveries. Beyond that the exact number makes no difference. */
const maxCounted = 1_000;

type Health = {
  id: number;
  recording: Recording;
  waiting: number;
  /** The latest event; null if there was none. */
  event: string | null;
  state: DeliveryState | null;
  created_at: Date | null;
};

/** Finds for each endpoint of a tenant how many deliveries wait, whether its quota has room, and the latest event. */
export async function findHealth(db: Db, tenantId: number): Promise<Map<number, Health>> {
  const { rows } = await db.query<Health>(sql`
    select webhooks.id, webhooks.recording, counted.waiting, latest.event, latest.state, latest.created_at
    from webhooks
    cross join lateral (
      select count(*)::int as waiting from (
        select from deliveries
        where tenant_id = ${tenantId} and webhook_id = webhooks.id and state = 'waiting'
        limit ${maxCounted}
      ) as waiting
    ) as counted
    left join lateral (
      select event, state, created_at from deliveries
      where tenant_id = ${tenantId} and webhook_id = webhooks.id and created_at is not null
      order by created_at desc limit 1
    ) as latest on true
    where webhooks.tenant_id = ${tenantId}`);
  return new Map(rows.map((row) => [row.id, row]));
}
