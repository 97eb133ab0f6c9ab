import type { Clock } from '../platform/clock.ts';
import { success } from '../platform/http/success.ts';
import { lastDays } from '../platform/values/last-days.ts';
import { type Period, PeriodQuery } from '../platform/values/period.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import { type Plan, plans } from '../tenants/plans.ts';
import { Usage } from './dashboard-schema.ts';
import { listUsage } from './usage-queries.ts';

const defaultDays: Period = 30;
const none = {
  requests: 0,
  refusals: 0,
  failures: 0,
  texts: 0,
  media: 0,
  templates: 0,
  messages: 0,
};

/** Adds the route for the tenant's plan and the daily usage of its tokens. */
export function usageRoutes(api: TenantApi, { clock }: { clock: Clock }): void {
  const config = { limitConcurrency: true };
  const schema = { querystring: PeriodQuery, response: { 200: Usage } };
  api.get('/usage', { config, schema }, async ({ db, member, caller, query }) => {
    const period = lastDays(query.days ?? defaultDays, clock.now());
    const from = period[0]!;
    const today = period.at(-1)!;
    const rows = await listUsage(db, member.tenantId, { from, to: today });
    const byToken = Map.groupBy(rows, (row) => row.token_id);
    return success({
      data: {
        ...limitsOf(caller.plan),
        plans: (Object.keys(plans) as Plan[]).map(limitsOf),
        today,
        tokens: [...byToken].map(([id, used]) => ({
          id,
          name: used[0]!.token_name,
          days: period.map((day) => used.find((row) => row.day === day) ?? { day, ...none }),
        })),
      },
    });
  });
}

function limitsOf(plan: Plan) {
  const { requestsPerMinute, messagesPerDay } = plans[plan];
  return { plan, requests_per_minute: requestsPerMinute, messages_per_day: messagesPerDay };
}
