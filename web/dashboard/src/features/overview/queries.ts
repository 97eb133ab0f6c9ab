import type { TenantApi } from '../../api/client.ts';
import type { Period } from '../../shell/charts/period.ts';

export const usualPeriod: Period = 14;

/** The query for the figures of the last days. */
export const overviewQuery = (api: TenantApi, days: Period = usualPeriod) =>
  api.asked('/overview', { query: { days } });
