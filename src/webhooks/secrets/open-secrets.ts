import type { Vault } from '../../platform/crypto.ts';
import type { ClaimedDelivery } from '../delivering/delivery-queries.ts';
import { secretContext } from './secret.ts';

const mostKept = 10_000;

/** Opens the secrets that sign a delivery, the present one first; those opened before are kept. */
export function createSecretOpener(vault: Vault) {
  const kept = new Map<string, string>();

  function open(tenantId: number, sealed: Buffer): string {
    const key = sealed.toString('latin1');
    let secret = kept.get(key);
    if (secret === undefined) {
      secret = vault.open(sealed, secretContext(tenantId));
      if (kept.size >= mostKept) kept.clear();
      kept.set(key, secret);
    }
    return secret;
  }

  return ({
    tenant_id: tenantId,
    secret,
    previous_secret: previous,
  }: Pick<ClaimedDelivery, 'tenant_id' | 'secret' | 'previous_secret'>): string[] =>
    [secret, previous].flatMap((sealed) => (sealed ? [open(tenantId, sealed)] : []));
}
