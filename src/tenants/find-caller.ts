import { createFailureLimit } from '../limits/failure-limit.ts';
import type { Plan } from '../limits/plans.ts';
import type { Clock } from '../platform/clock.ts';
import { sha256 } from '../platform/crypto.ts';
import { createBatch } from '../platform/database/batching.ts';
import type { Database } from '../platform/database/database.ts';
import { cacheTtlMs, maxCacheEntries } from '../platform/ttl-cache.ts';
import { type CallerRow, findCallers } from './queries.ts';
import type { Ability } from './tokens/abilities.ts';
import { looksLikeToken } from './tokens/token-format.ts';

/** Who makes an API request: a token of a tenant. */
export type Caller = {
  tenantId: number;
  slug: string;
  plan: Plan;
  tokenId: number;
  abilities: ReadonlySet<Ability>;
};

/** Why there is no caller: no such tenant, no valid token, or a token that is not active yet. */
type Missing = 'tenant' | 'token' | 'active token';

export type CallerLookup = { found: Caller } | { missing: Missing };

const noToken = Buffer.alloc(32);

/**
 * Finds the caller of a request by the tenant in its path and its bearer token. Lookups made
 * together go as one statement, and a valid caller stays known for less than a second.
 *
 * An address that fails too often is refused before any lookup; a token that was valid here before
 * passes nevertheless, so that a neighbour behind the same address cannot lock it out.
 */
export function createCallerFinder({ db, clock }: { db: Database; clock: Clock }) {
  const known = new Map<string, { caller: Caller; until: number }>();
  const lookUp = createBatch<{ slug: string; tokenHash: Buffer }, CallerRow>({
    run: (asked) => findCallers(db.batched, asked),
    maxSize: 500,
  });
  const failures = createFailureLimit(clock);

  function keyOf(slug: string, token: string): string {
    return `${slug} ${token}`;
  }

  return {
    /** The caller if it was found valid less than a second ago. */
    known(slug: string, token: string): Caller | undefined {
      const entry = known.get(keyOf(slug, token));
      return entry && entry.until > clock.elapsedMs() ? entry.caller : undefined;
    },

    /** @throws ApiError 429 when the address failed too often */
    async find(slug: string, token: string, address: string): Promise<CallerLookup> {
      const key = keyOf(slug, token);
      if (!known.has(key)) failures.refuse(address);
      const at = clock.elapsedMs();
      const tokenHash = looksLikeToken(token) ? sha256(token) : noToken;
      const row = await lookUp({ slug, tokenHash });
      known.delete(key);
      if (row.tenant_id === null || row.token_id === null || row.pending || !row.api_access) {
        failures.failed(address);
        return { missing: missingOf(row) };
      }
      const caller: Caller = {
        tenantId: row.tenant_id,
        slug,
        plan: row.plan,
        tokenId: row.token_id,
        abilities: new Set(row.abilities),
      };
      if (known.size >= maxCacheEntries) known.delete(known.keys().next().value!);
      // All are forgotten together, so that those in use are looked up again in one statement.
      const until = (Math.floor(at / cacheTtlMs) + 1) * cacheTtlMs;
      known.set(key, { caller, until });
      return { found: caller };
    },
  };
}

/** A pending token is found by its whole secret, so only its owner learns that it is pending. */
function missingOf({ tenant_id: tenantId, pending }: CallerRow): Missing {
  if (tenantId === null) return 'tenant';
  return pending ? 'active token' : 'token';
}
