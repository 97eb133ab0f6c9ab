import type { TenantApi } from '../../api/client.ts';
import type { Period } from '../../shell/charts/period.ts';

export const usualPeriod: Period = 30;

/** The query for the plan and the usage of the last days. */
export const usageQuery = (api: TenantApi, days: Period = usualPeriod) =>
  api.asked('/usage', { query: { days } });
