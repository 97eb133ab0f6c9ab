import type { NumberFinder } from '../numbers/find-number.ts';
import { success } from '../platform/http/success.ts';
import { type Period, PeriodQuery } from '../platform/values/period.ts';
import type { Services } from '../services.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import { Overview } from './dashboard-schema.ts';
import { countOutcomes, findSetup } from './queries.ts';
import { byDay, topFailures } from './summarise-outcomes.ts';

const defaultDays: Period = 14;

/** Serves the dashboard's first page. */
export function overviewRoutes(
  api: TenantApi,
  {
    config,
    simulatorUrl,
    numbers,
  }: Pick<Services, 'config' | 'simulatorUrl'> & { numbers: NumberFinder },
): void {
  const schema = { querystring: PeriodQuery, response: { 200: Overview } };
  api.get(
    '/overview',
    { config: { limitConcurrency: true }, schema },
    async ({ db, member, query }) => {
      const { days = defaultDays } = query;
      const [{ today, counted }, setup, sender] = await Promise.all([
        countOutcomes(db.batched, member.tenantId, days),
        findSetup(db, member.tenantId, {
          withSimulated: simulatorUrl !== undefined,
          silenceMinutes: config.silenceMinutes,
        }),
        numbers.defaultNumber(member.tenantId),
      ]);
      return success({
        data: {
          days: byDay(today, days, counted),
          failures: topFailures(counted),
          steps: { number: setup.number, token: setup.token, message: setup.message },
          simulated_sender: sender?.simulator ? sender.displayPhoneNumber : null,
          number_problems: setup.problems,
          tokens_seen_in_clear: setup.seen_in_clear,
        },
      });
    },
  );
}
