import type { Database } from '../../platform/database/database.ts';
import { invalid, noRoom } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import { sha256 } from '../../platform/secrets/crypto.ts';
import { nameFrom } from '../../platform/values/texts/name.ts';
import { changeTenant } from '../change-tenant.ts';
import { withTenantLock } from '../with-tenant-lock.ts';
import { allAbilities, isAbility } from './abilities.ts';
import { recordToken } from './record-token.ts';
import { makeToken } from './token-format.ts';
import { insertToken, type TokenRow } from './token-queries.ts';

/**
 * Creates a token. Its value is returned here only and never stored. A pending token (`active`
 * false) works only after it is activated; an active one also switches the tenant's API access on.
 *
 * @param token.maxTokens how many usable tokens the tenant may have; no limit by default
 * @throws ApiError 422 on `name`, `abilities` or `expires_at`
 */
export async function createToken(
  db: Database,
  tenantId: number,
  token: {
    name: string;
    abilities: string[];
    expiresAt?: Date | null;
    active: boolean;
    maxTokens?: number;
  },
): Promise<{ value: string; token: TokenRow }> {
  const { expiresAt = null, active, maxTokens = null } = token;
  const name = nameFrom(token.name);
  const named = token.abilities.filter((ability) => ability !== 'all');
  const unknown = named.filter((ability) => !isAbility(ability));
  if (unknown.length > 0) {
    throw invalid({
      abilities: [
        fault('unknown_abilities', 'has unknown entries: {unknown}; known are {known}, or all', {
          unknown: unknown.join(', '),
          known: allAbilities.join(', '),
        }),
      ],
    });
  }
  const abilities = named.length < token.abilities.length ? [...allAbilities] : [...new Set(named)];
  if (abilities.length === 0)
    throw invalid({ abilities: [fault('no_ability', 'must name at least one ability')] });
  if (expiresAt && expiresAt.getTime() <= Date.now()) {
    throw invalid({ expires_at: [fault('not_in_future', 'must be in the future')] });
  }
  const value = makeToken();
  const row = {
    name,
    hash: sha256(value),
    hint: value.slice(-4),
    abilities: abilities.filter(isAbility),
    expiresAt,
    active,
  };
  const created = await withTenantLock(db, tenantId, async (tx) => {
    const inserted = await insertToken(tx, tenantId, row, maxTokens);
    if (inserted) await recordToken(tx, tenantId, 'token.created', inserted);
    return inserted;
  });
  if (!created) throw noRoom('name', maxTokens!, 'tokens', 'Revoke those not in use.');
  if (active) await changeTenant(db, tenantId, { api_access: true });
  return { value, token: created };
}
