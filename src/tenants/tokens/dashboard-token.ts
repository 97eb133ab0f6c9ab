import { randomBytes } from 'node:crypto';
import type { Db } from '../../platform/database/database.ts';
import { ensureInternalToken } from './token-queries.ts';

/**
 * Finds or creates the token that counts the messages sent from a tenant's dashboard. Its hash is
 * random, so no value matches it and nobody can use it.
 */
export function ensureDashboardToken(db: Db, tenantId: number): Promise<number> {
  return ensureInternalToken(db, tenantId, { name: 'Dashboard', hash: randomBytes(32) });
}
