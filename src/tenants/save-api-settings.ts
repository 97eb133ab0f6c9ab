import type { Database } from '../platform/database/database.ts';
import { changeTenantIn } from './change-tenant.ts';
import { recordToken } from './tokens/record-token.ts';
import { activateTokens } from './tokens/token-queries.ts';

/** Switches API access on or off, and activates the given pending tokens. */
export function saveApiSettings(
  db: Database,
  tenantId: number,
  { apiAccess, activate }: { apiAccess: boolean; activate: number[] },
): Promise<void> {
  return db.transaction(async (tx) => {
    await changeTenantIn(tx, tenantId, { api_access: apiAccess });
    for (const token of await activateTokens(tx, tenantId, activate)) {
      await recordToken(tx, tenantId, 'token.activated', token);
    }
  });
}
