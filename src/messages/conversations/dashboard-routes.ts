import { findPeople } from '../../contacts/searching/find-people.ts';
import type { Member } from '../../members/dashboard-api.ts';
import type { NumberFinder } from '../../numbers/find-number.ts';
import type { Db } from '../../platform/database/database.ts';
import { success } from '../../platform/http/success.ts';
import type { Services } from '../../services.ts';
import type { TenantApi } from '../../tenants/api/tenant-api.ts';
import { changeConversation } from './change-conversation.ts';
import { findNewestMessage, listConversationMessages } from './conversation-queries.ts';
import {
  ConversationChange,
  Conversations,
  type ConversationsFilter,
  ConversationsQuery,
  Done,
  LiveEvent,
  LiveQuery,
  maxUnreadCount,
  Thread,
  ThreadQuery,
  UnreadCount,
} from './dashboard-schema.ts';
import { mediaRoute } from './files/media-route.ts';
import { findConversationState } from './find-conversation-state.ts';
import type { Label } from './inbox/label-filter.ts';
import { countUnread, listConversations, listLabelled } from './inbox/list-conversations.ts';
import { searchConversations } from './inbox/search-conversations.ts';
import { createLiveStreams } from './live/live.ts';
import { presentConversations, presentMessage, presentPerson } from './present-conversation.ts';

const conversationsPerPage = 30;
const messagesPerPage = 50;

/** Conversations in the dashboard. Replies are sent with the API's own routes. */
export function conversationRoutes(
  api: TenantApi,
  services: Services & { numbers: NumberFinder },
): void {
  const { numbers } = services;
  const stream = createLiveStreams(services);

  api.get(
    '/conversations',
    {
      config: { limitConcurrency: true },
      schema: { querystring: ConversationsQuery, response: { 200: Conversations } },
    },
    async ({ db: reads, member, query: { before, search = '', ...filter } }) => {
      const newest = await findNewestMessage(reads, member.tenantId);
      const { found, ...rest } = search.trim()
        ? { ...(await searchConversations(reads, member.tenantId, search.trim())), next: null }
        : await pageOf(reads, member, before, filter);
      const conversations = await presentConversations(reads, member.tenantId, found);
      return success({ data: { conversations, newest, ...rest } });
    },
  );

  api.get(
    '/conversations/unread',
    { schema: { response: { 200: UnreadCount } } },
    async ({ db: reads, member: { tenantId } }) =>
      success({ data: await countUnread(reads, tenantId, maxUnreadCount) }),
  );

  api.get(
    '/conversation',
    {
      config: { limitConcurrency: true },
      schema: { querystring: ThreadQuery, response: { 200: Thread } },
    },
    async ({ db: reads, member: { tenantId }, query: { phone, before } }) => {
      const newest = await findNewestMessage(reads, tenantId);
      const [messages, state, people, senders] = await Promise.all([
        listConversationMessages(reads, tenantId, phone, { before, limit: messagesPerPage }),
        findConversationState(reads, tenantId, phone),
        findPeople(reads, tenantId, [phone]),
        numbers.senders(tenantId),
      ]);
      const sender = senders.find(({ id }) => id === state.number_id) ?? senders[0];
      return success({
        data: {
          phone,
          ...presentPerson(people.get(phone)),
          ...state,
          number_id: sender?.id ?? null,
          messages: messages.map(presentMessage),
          more: messages.length === messagesPerPage,
          newest,
        },
      });
    },
  );

  api.put(
    '/conversation',
    { schema: { body: ConversationChange, response: { 200: Done } } },
    async ({ member: { tenantId }, body: { phone, ...change } }) => {
      await changeConversation(services.db, tenantId, phone, change);
      return success({});
    },
  );

  mediaRoute(api, services);

  async function pageOf(
    reads: Db,
    { tenantId, userId }: Member,
    before: number | undefined,
    { view, number, ...labels }: ConversationsFilter,
  ) {
    const filter = { view, assignee: userId, numberId: number };
    const page = { before, limit: conversationsPerPage, filter };
    const label = labelOf(labels);
    if (label) {
      const { found, next } = await listLabelled(reads, tenantId, { ...page, label });
      return { found, next, more: next !== null };
    }
    const found = await listConversations(reads, tenantId, page);
    const more = found.length === page.limit;
    return { found, more, next: more ? found.at(-1)!.last.id : null };
  }

  // A browser sends the header when it opens the same stream again, and the query when another tab takes over.
  api.get(
    '/live',
    {
      schema: {
        querystring: LiveQuery,
        responseType: 'text/event-stream',
        responseShape: LiveEvent,
      },
    },
    ({ member, headers, query }, reply) =>
      stream(member, reply, String(headers['last-event-id'] ?? query.after ?? '')),
  );
}

function labelOf({ status_id, source_id, group_id }: ConversationsFilter): Label | undefined {
  if (status_id !== undefined) return { kind: 'status', id: status_id };
  if (source_id !== undefined) return { kind: 'source', id: source_id };
  return group_id === undefined ? undefined : { kind: 'group', id: group_id };
}
