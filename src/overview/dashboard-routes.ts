import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { TenantApi } from '../tenants/tenant-api.ts';
import { Overview } from './dashboard-schema.ts';
import { countByDay, findSetup, topFailures } from './queries.ts';

const days = 14;

/** The dashboard's first page. */
export function overviewRoutes(
  api: TenantApi,
  { db, clock }: { db: Database; clock: Clock },
): void {
  api.get('/overview', { schema: { response: { 200: Overview } } }, async ({ member }) => {
    const [byDay, failures, setup] = await Promise.all([
      countByDay(db, member.tenantId, days, clock.offsetMs),
      topFailures(db, member.tenantId, days),
      findSetup(db, member.tenantId),
    ]);
    return {
      success: true as const,
      data: {
        days: byDay,
        failures: failures.map((each) => ({ ...each, last_at: each.last_at.toISOString() })),
        steps: { number: setup.number, token: setup.token, message: setup.message },
        number_problems: setup.problems,
        tokens_seen_in_clear: setup.seen_in_clear,
      },
    };
  });
}
