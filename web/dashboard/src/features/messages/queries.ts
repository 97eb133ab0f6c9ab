import type { TenantApi } from '../../api/client.ts';
import { filterOf, type MessageSearch } from './search.ts';

/** The query for the messages that pass a filter, the newest first. */
export const messagesQuery = (api: TenantApi, search: MessageSearch) =>
  api.askedByCursor('/messages', { query: filterOf(search) });
