import type { AuditAction } from '../../audit/actions.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Db } from '../../platform/database/database.ts';
import { allAbilities } from './abilities.ts';
import type { TokenRow } from './token-queries.ts';

/** Records what happened to a token, with its abilities, in the transaction of the change. */
export async function recordToken(
  tx: Db,
  tenantId: number,
  action: Extract<AuditAction, `token.${string}`>,
  { id, name, abilities, expires_at: expiresAt }: TokenRow,
): Promise<void> {
  const changes = [
    { field: 'abilities', after: abilities.length === allAbilities.length ? ['all'] : abilities },
    ...(expiresAt ? [{ field: 'expires_at', after: expiresAt.toISOString() }] : []),
  ];
  await recordAudit(tx, tenantId, {
    action,
    subject: { id, name },
    changes: action === 'token.revoked' ? [] : changes,
  });
}
