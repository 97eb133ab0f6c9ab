import type { TenantApi } from '../../../api/client.ts';
import { wantedText } from '../../contacts/search.ts';
import { type ConversationSearch, inboxQuery } from './search.ts';

/** The query for the list, or for the conversations that a search finds in all of them. */
export function conversationsQuery(api: TenantApi, { q, ...filter }: ConversationSearch) {
  const search = wantedText({ q }) ?? '';
  return api.askedInParts(
    '/conversations',
    { query: { search, ...inboxQuery(filter) } },
    'before',
    ({ next }) => next,
    ({ conversations }) => conversations.length === 0,
  );
}

/** The query for the messages of a conversation, from the newest to the oldest. */
export function threadQuery(api: TenantApi, phone: string) {
  return api.askedInParts('/conversation', { query: { phone } }, 'before', ({ more, messages }) =>
    more ? messages.at(-1)?.id : undefined,
  );
}
