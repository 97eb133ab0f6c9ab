import { randomBytes } from 'node:crypto';
import type { Db } from '../../platform/database/database.ts';
import { ensureInternalToken } from './token-queries.ts';

/**
 * The token that messages sent from a tenant's dashboard are counted against. Its hash is random:
 * no value has it, so nobody can call with it.
 */
export function ensureDashboardToken(db: Db, tenantId: number): Promise<number> {
  return ensureInternalToken(db, tenantId, { name: 'Dashboard', hash: randomBytes(32) });
}
