import type { TenantApi } from '../../api/client.ts';

/** The query for the templates of a number's account, by default of the default number. */
export const templatesQuery = (api: TenantApi, number?: number) =>
  api.asked('/template-overview', number === undefined ? {} : { query: { number } });
