import { createFailureLimit } from '../../limits/failure-limit.ts';
import type { Clock } from '../../platform/clock.ts';
import { cacheTtlMs, createTtlCache } from '../../platform/concurrency/ttl-cache.ts';
import { createBatch } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import { sha256 } from '../../platform/secrets/crypto.ts';
import type { Plan } from '../plans.ts';
import { type CallerRow, findCallers } from '../queries.ts';
import type { Ability } from '../tokens/abilities.ts';
import { looksLikeToken } from '../tokens/token-format.ts';

/** The caller of an API request: a token of a tenant, or a member in the dashboard. */
export type Caller = {
  tenantId: number;
  slug: string;
  plan: Plan;
  tokenId: number;
  abilities: ReadonlySet<Ability>;
  /** The account of the member. */
  memberId?: string;
  /** Until when the bodies of the tenant's requests are logged. */
  logsBodiesUntil?: Date | undefined;
};

/**
 * The reason why there is no caller: an unknown tenant, an invalid token, or a token that is not
 * active yet.
 */
type Missing = 'tenant' | 'token' | 'active token';

export type CallerLookup = { found: Caller } | { missing: Missing };

const noToken = Buffer.alloc(32);

/**
 * Creates a finder for the caller of a request, by the tenant in its path and its bearer token.
 * Lookups are batched, and a valid caller is cached for less than a second.
 *
 * An address that fails too often is refused before any lookup. A token that was valid in this
 * process before is still accepted, so that another client behind the same address cannot lock it
 * out.
 */
export function createCallerFinder({ db, clock }: { db: Database; clock: Clock }) {
  const cache = createTtlCache<Caller>({ elapsedMs: () => clock.elapsedMs() });
  const lookUp = createBatch<{ slug: string; tokenHash: Buffer }, CallerRow>({
    run: (asked) => findCallers(db.batched, asked),
    maxSize: 500,
  });
  const failures = createFailureLimit(clock);

  function keyOf(slug: string, token: string): string {
    return `${slug} ${token}`;
  }

  return {
    /** Returns the cached caller, if it has not expired. */
    cached: (slug: string, token: string): Caller | undefined => cache.get(keyOf(slug, token)),

    /**
     * Looks up the caller.
     *
     * @throws ApiError 429 if the address failed too often
     */
    async find(slug: string, token: string, address: string): Promise<CallerLookup> {
      const key = keyOf(slug, token);
      if (!cache.has(key)) failures.refuse(address);
      const at = clock.elapsedMs();
      const tokenHash = looksLikeToken(token) ? sha256(token) : noToken;
      const row = await lookUp({ slug, tokenHash });
      cache.delete(key);
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
        logsBodiesUntil: row.log_bodies_until ?? undefined,
      };
      // All entries expire together, so that those in use are looked up again in one statement.
      cache.set(key, caller, (Math.floor(at / cacheTtlMs) + 1) * cacheTtlMs);
      return { found: caller };
    },
  };
}

/**
 * Returns why a caller was not found. Only the owner of a pending token learns that it is pending.
 */
function missingOf({ tenant_id: tenantId, pending }: CallerRow): Missing {
  if (tenantId === null) return 'tenant';
  return pending ? 'active token' : 'token';
}
