import type { Database } from '../../platform/database/database.ts';
import { withTenantLock } from '../with-tenant-lock.ts';
import { recordToken } from './record-token.ts';
import { findToken, setRevoked, type TokenRow } from './token-queries.ts';

/**
 * Revokes a token. It stays in the list for a while.
 *
 * @returns undefined if the tenant has no such token
 */
export function revokeToken(
  db: Database,
  tenantId: number,
  tokenId: number,
): Promise<TokenRow | undefined> {
  return withTenantLock(db, tenantId, async (tx) => {
    const before = await findToken(tx, tenantId, tokenId);
    if (!before || before.revoked_at) return before;
    const revoked = await setRevoked(tx, tenantId, tokenId);
    if (revoked) await recordToken(tx, tenantId, 'token.revoked', revoked);
    return revoked;
  });
}
