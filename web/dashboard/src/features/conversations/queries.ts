import type { TenantApi } from '../../api/client.ts';
import { wantedText } from '../contacts/search.ts';
import { type ConversationSearch, inboxQuery } from './search.ts';

/** The query for the list, or for the conversations that a search finds in all of them. */
export function conversationsQuery(api: TenantApi, { q, ...filter }: ConversationSearch) {
  const search = wantedText({ q }) ?? '';
  return api.askedInParts(
    '/conversations',
    { query: { search, ...inboxQuery(filter) } },
    'before',
    // The results of a search have no further parts.
    // Live events take conversations out of a part, so that the last one may be empty.
    ({ more }, parts) =>
      more && !search
        ? parts.findLast(({ conversations }) => conversations.length > 0)?.conversations.at(-1)
            ?.last.id
        : undefined,
  );
}

/** The query for the messages of a conversation, from the newest to the oldest. */
export function threadQuery(api: TenantApi, phone: string) {
  return api.askedInParts('/conversation', { query: { phone } }, 'before', ({ more, messages }) =>
    more ? messages.at(-1)?.id : undefined,
  );
}
