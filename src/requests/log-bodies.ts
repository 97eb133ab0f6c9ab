import { recordChange } from '../audit/record-audit.ts';
import type { Database } from '../platform/database/database.ts';
import { findBodiesUntil, setBodiesUntil } from './queries.ts';

/**
 * Logs the bodies of a tenant's requests for some minutes from now.
 *
 * @param minutes 0 to stop
 */
export function logBodies(db: Database, tenantId: number, minutes: number): Promise<void> {
  return db.transaction(async (tx) => {
    const before = await findBodiesUntil(tx, tenantId);
    const after = await setBodiesUntil(tx, tenantId, minutes);
    await recordChange(tx, tenantId, {
      action: 'tenant.changed',
      before: { log_bodies_until: before ?? null },
      after: { log_bodies_until: after },
      shown: ['log_bodies_until'],
    });
  });
}
