import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/database/database.ts';

const lookEveryMs = 200;
/** Looks in a row that must find nothing. A request that has just arrived may not have stored anything yet. */
const quietLooks = 5;

/** A tenant's work in progress that sends messages or changes rows. It ends when nothing new arrives. */
const underWay = `
  select 'sends' as what, count(*)::int as count from messages
  where tenant_id = $1 and direction = 'out' and created_at > now() - interval '1 hour' and not exists (
    select from message_states as known
    where known.tenant_id = messages.tenant_id and known.message_id = messages.id)
  union all
  select 'answers of bots', count(*)::int from bot_answers where tenant_id = $1 and due_at is not null
  union all
  select 'store events', count(*)::int from store_events as event
  join stores on stores.tenant_id = $1 and stores.id = event.store_id and stores.paused_since is null
  where event.tenant_id = $1 and event.due_at is not null
  union all
  select 'events', count(*)::int from event_outbox where tenant_id = $1
  union all
  select 'lists of events', count(*)::int from event_batches where tenant_id = $1
  union all
  select 'imports', count(*)::int from contact_imports where tenant_id = $1 and state = 'running'
  union all
  select 'bulk changes', count(*)::int from contact_bulk_changes
  where tenant_id = $1 and state = 'running'`;

/** The tenant still works, so its file would not be its last state. */
export class StillBusy extends Error {
  override name = 'StillBusy';
}

/**
 * Waits until a tenant to which nothing new arrives has finished its work, and stays so for a second.
 *
 * @throws StillBusy after `maxMs`
 */
export async function waitUntilIdle(db: Database, tenantId: number, maxMs: number): Promise<void> {
  const until = performance.now() + maxMs;
  for (let quiet = 0; quiet < quietLooks; ) {
    const { rows } = await db.pool.query<{ what: string; count: number }>(underWay, [tenantId]);
    const busy = rows.filter(({ count }) => count > 0);
    quiet = busy.length === 0 ? quiet + 1 : 0;
    if (busy.length > 0 && performance.now() >= until) {
      const list = busy.map(({ what, count }) => `${count} ${what}`).join(', ');
      throw new StillBusy(`The tenant still works: ${list}. Nothing was written.`);
    }
    await sleep(lookEveryMs);
  }
}
