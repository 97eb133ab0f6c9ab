import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';

/** A sync that failed or was interrupted is retried after this time. */
export const retrySeconds = 120;

/**
 * The pause before a sync that refusals or callbacks request. There may be hundreds an hour, and the network allows 200
 * calls per hour and account.
 */
const pauseSeconds = 60;

/** Makes a tenant's next sync due now; a worker starts it within seconds. */
export function requestTemplateSync(db: Db, tenantId: number): Promise<void> {
  return request(db, tenantId, 0);
}

/** Makes a tenant's next sync due now, or a minute after the last one or the one that is under way. */
export function requestPacedSync(db: Db, tenantId: number): Promise<void> {
  return request(db, tenantId, pauseSeconds);
}

async function request(db: Db, tenantId: number, pause: number): Promise<void> {
  const pauseInterval = sql`${pause}::float8 * interval '1 second'`;
  await db.query(sql`
    insert into template_syncs (tenant_id, due_at) values (${tenantId}, now())
    on conflict (tenant_id) do update set due_at = least(template_syncs.due_at, case
      -- A sync is under way or has just failed. A changed time makes it start again.
      when template_syncs.due_at between now() and now() + ${retrySeconds}::float8 * interval '1 second'
        then now() + ${pauseInterval}
      else greatest(now(), template_syncs.synced_at + ${pauseInterval}) end)`);
}
