import type { Db } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import { CursorPage, type CursorScope, createCursors } from '../../platform/http/cursor.ts';
import { SuccessResponse } from '../../platform/http/response-schema.ts';
import { success } from '../../platform/http/success.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import { isPhone } from '../../platform/values/phones/phone.ts';
import { isUserId } from '../../platform/values/phones/recipient.ts';
import type { TenantApi } from '../../tenants/api/tenant-api.ts';
import type { RecordRow } from './listing/find-records.ts';
import {
  findConversationRecord,
  listConversationRecords,
} from './listing/list-conversation-records.ts';
import { listRecords } from './listing/list-records.ts';
import {
  ConversationMessagesQuery,
  ConversationRecord,
  ConversationsQuery,
  MessagesQuery,
  PersonName,
} from './listing/list-schema.ts';
import { findPerson, hasConversation, numberIdOf, readFilter } from './listing/read-filter.ts';
import type { RecordFilter } from './listing/record-filter.ts';
import type { RecordPosition } from './listing/scan-messages.ts';
import { presentCodedRecord, presentRecord } from './present-record.ts';
import { CodedMessageRecord, MessageRecord } from './record-schema.ts';

const shortPages =
  'A page can have fewer records than `limit`, and even none, because Parley looks at a limited number of ' +
  'messages for each page. Go on with `pagination.next` until it is null.';

/** Messages in the API. */
export const plainRecords = { schema: MessageRecord, present: presentRecord };
/** Messages in the dashboard: failures also have the codes of their sentences. */
export const codedRecords = { schema: CodedMessageRecord, present: presentCodedRecord };
export type MessageRecords = typeof plainRecords | typeof codedRecords;

/** Registers the route that lists messages (docs/reading-messages.md). */
export function messageListRoutes(
  api: TenantApi,
  { vault }: { vault: Vault },
  { schema, present }: MessageRecords,
): void {
  const cursors = createCursors(vault);

  api.get(
    '/messages',
    {
      config: { ability: 'messages:read', limitConcurrency: true },
      schema: {
        operationId: 'listMessages',
        tags: ['Messages'],
        summary: 'List messages',
        description: `Sent and received messages, newest first. Filters narrow the list together. ${shortPages}`,
        querystring: MessagesQuery,
        response: {
          200: CursorPage('The messages of one page.', schema),
        },
      },
    },
    async ({ db, caller: { tenantId }, query: { limit, after, ...filters } }) => {
      const scope: CursorScope = { list: 'messages', tenantId, filter: filters };
      const page = { scope, limit, after };
      const filter = await readFilter(db, tenantId, filters);
      return pageOf(db, cursors, tenantId, filter, page, present);
    },
  );
}

/** Registers the routes that list conversations and their messages (docs/reading-messages.md). */
export function conversationListRoutes(api: TenantApi, { vault }: { vault: Vault }): void {
  const cursors = createCursors(vault);

  api.get(
    '/conversations',
    {
      config: { ability: 'conversations:read', limitConcurrency: true },
      schema: {
        operationId: 'listConversations',
        tags: ['Conversations'],
        summary: 'List conversations',
        description:
          'The conversation with the newest message comes first. One that gets a new message during a walk ' +
          'moves to the front, so the walk may miss it or see it twice.',
        querystring: ConversationsQuery,
        response: { 200: CursorPage('The conversations of one page.', ConversationRecord) },
      },
    },
    async ({ db, caller: { tenantId }, query: { limit, after, ...filters } }) => {
      const scope: CursorScope = { list: 'conversations', tenantId, filter: filters };
      const [before] = after === undefined ? [] : cursors.read<[number]>(scope, after);
      const { number } = filters;
      const numberId = number === undefined ? undefined : await numberIdOf(db, tenantId, number);
      const page = { before, limit, numberId };
      const { conversations, next } = await listConversationRecords(db, tenantId, page);
      return success({
        data: conversations,
        pagination: { next: next === undefined ? null : cursors.write(scope, [next]), limit },
      });
    },
  );

  api.get(
    '/conversations/:person',
    {
      config: { ability: 'conversations:read' },
      schema: {
        operationId: 'getConversation',
        tags: ['Conversations'],
        summary: 'Get a conversation',
        description:
          'With one person, at all of your numbers, as the list has it: for example whether free text may be ' +
          'sent (`window_until`), and who answers.',
        pathParameters: { person: PersonName },
        response: { 200: SuccessResponse('The conversation.', ConversationRecord) },
      },
    },
    async ({ db, caller: { tenantId }, params }) => {
      const conversation = await findConversationRecord(
        db,
        tenantId,
        await personIn(db, tenantId, params),
      );
      if (!conversation) throw notFound();
      return success({ data: conversation });
    },
  );

  api.get(
    '/conversations/:person/messages',
    {
      config: { ability: 'conversations:read', limitConcurrency: true },
      schema: {
        operationId: 'listConversationMessages',
        tags: ['Conversations'],
        summary: 'List the messages of a conversation',
        description: `With one person, at all of your numbers, newest first. ${shortPages}`,
        pathParameters: { person: PersonName },
        querystring: ConversationMessagesQuery,
        response: { 200: CursorPage('The messages of one page.', MessageRecord) },
      },
    },
    async ({ db, caller: { tenantId }, params, query: { limit, after } }) => {
      const person = await personIn(db, tenantId, params);
      if (!(await hasConversation(db, tenantId, person))) throw notFound();
      const scope: CursorScope = { list: 'conversation', tenantId, filter: { person } };
      return pageOf(db, cursors, tenantId, { people: [{ person }] }, { scope, limit, after });
    },
  );
}

/** @throws ApiError 404 if the path names neither a phone nor a user id */
function personIn(db: Db, tenantId: number, params: unknown): Promise<string> {
  const { person } = params as { person: string };
  if (!isPhone(person) && !isUserId(person)) throw notFound();
  return findPerson(db, tenantId, person);
}

/** @param filter undefined if no message can pass it */
async function pageOf(
  db: Db,
  cursors: ReturnType<typeof createCursors>,
  tenantId: number,
  filter: RecordFilter | undefined,
  { scope, limit, after }: { scope: CursorScope; limit: number; after: string | undefined },
  present: (row: RecordRow) => MessageRecord = presentRecord,
) {
  const position = after === undefined ? undefined : cursors.read<RecordPosition>(scope, after);
  const { records, next } = filter
    ? await listRecords(db, tenantId, filter, { after: position, limit })
    : { records: [], next: undefined };
  return success({
    data: records.map((row) => present(row)),
    pagination: { next: next ? cursors.write(scope, next) : null, limit },
  });
}
