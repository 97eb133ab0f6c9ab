import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import type { StatusReport } from '../../whatsapp/callbacks/read-callback.ts';
import { lateRefusal, meaningOf, refusalSentence } from '../../whatsapp/errors.ts';
import { faulty, type NumberFault } from '../checking/check.ts';
import { seeWhatsAppManager } from '../checking/check-registration.ts';
import { makeChecksDue } from '../checking/make-checks-due.ts';
import { failures, otherFaults, toWatchers } from '../checking/queries.ts';

/**
 * Records that messages failed for a reason that concerns their number, such as a missing payment method. The network
 * accepts further messages all the same. The number is checked soon, too.
 */
export async function recordFailures(
  db: Db,
  { tenantId, id }: { tenantId: number; id: number },
  statuses: StatusReport[],
): Promise<void> {
  const found = statuses.flatMap(({ at, error }) => {
    if (!error || error.code === null) return [];
    const refusal = lateRefusal({ ...error, code: error.code });
    return meaningOf(refusal).atFault === 'number' ? { at, refusal } : [];
  });
  const latest = found.toSorted((a, b) => a.at.getTime() - b.at.getTime()).at(-1);
  if (!latest) return;
  const failure = faulty('failures', refusalSentence(latest.refusal), seeWhatsAppManager);
  await storeFailure(db, tenantId, id, { ...failure, at: latest.at.toISOString() });
  await makeChecksDue(db, tenantId, { ids: [id] });
}

/** Removes the report of failed messages that was stored with this time. */
export async function clearFailures(
  db: Db,
  tenantId: number,
  id: number,
  at: string,
): Promise<void> {
  await db.query(sql`
    update numbers set faults = ${otherFaults}
    where tenant_id = ${tenantId} and id = ${id} and ${failures} -> 0 ->> 'at' = ${at}
    returning ${toWatchers}`);
}

/** Stores that a message failed because of its number, unless this was stored less than a minute before. */
async function storeFailure(
  db: Db,
  tenantId: number,
  id: number,
  failure: NumberFault & { at: string },
): Promise<void> {
  await db.query(sql`
    update numbers set faults = ${otherFaults} || ${JSON.stringify(failure)}::jsonb
    where tenant_id = ${tenantId} and id = ${id} and disconnected_at is null
      and coalesce((${failures} -> 0 ->> 'at')::timestamptz < ${failure.at}::timestamptz - interval '1 minute', true)
    returning ${toWatchers}`);
}
