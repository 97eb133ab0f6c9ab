import { type Static, Type } from 'typebox';
import { Coded } from '../../platform/errors/coded.ts';
import { Nullable, NullableChoice, NullableObject } from '../../platform/http/field-schema.ts';
import { DataResponse } from '../../platform/http/response-schema.ts';
import { StoredJson } from '../../platform/http/stored-json.ts';
import { Id } from '../../platform/values/id.ts';
import { type WatchedTopic, watchedTopics } from '../../tenants/watched-topics.ts';
import { storedCauses } from '../record/cause.ts';
import { StoredContent } from '../stored-content.ts';

const DateTime = Type.String({ format: 'date-time' });

/** Messages from before the number was connected have negative ids. */
const MessageId = Type.Integer({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
});

const Message = Type.Object({
  id: Type.Integer(),
  /** The network's own id, by which replies and reactions name the message. */
  network_id: Nullable('string'),
  direction: Type.Union([Type.Literal('out'), Type.Literal('in')]),
  number_id: Type.Integer({ description: 'Id of the number that sent or received it.' }),
  kind: Type.String(),
  cause: NullableChoice(...storedCauses),
  member: Nullable('string', { description: 'The account of the member who wrote it.' }),
  content: StoredJson(StoredContent),
  status: Type.Union([
    Type.Literal('accepting'),
    Type.Literal('unknown'),
    Type.Literal('sent'),
    Type.Literal('failed'),
    Type.Literal('delivered'),
    Type.Literal('read'),
    Type.Literal('received'),
  ]),
  failure: NullableObject(
    Type.Object({
      code: Nullable('integer'),
      words: Type.String(),
      words_says: Coded,
      details: Nullable('string'),
    }),
  ),
  created_at: DateTime,
  sent_at: Nullable('string'),
  delivered_at: Nullable('string'),
  read_at: Nullable('string'),
  failed_at: Nullable('string'),
});

const state = {
  unread: Type.Integer({ description: 'Inbound messages that nobody has read in the dashboard.' }),
  is_open: Type.Boolean({ description: 'Whether somebody should answer.' }),
  assignee: Nullable('string'),
};

const person = Type.String({
  description: 'The key of the conversation, the same for every form of the phone.',
});

const Conversation = Type.Object({
  person,
  phone: Type.String(),
  number_id: Type.Integer({ description: 'Id of the number of the latest message.' }),
  name: Nullable('string'),
  contact_id: Nullable('integer'),
  status_id: Nullable('integer', { description: 'The labels are those of the contact.' }),
  source_id: Nullable('integer'),
  group_ids: Type.Array(Type.Integer()),
  last: Message,
  window_until: Nullable('string', { description: 'Until when that number may send free text.' }),
  ...state,
});

const newest = Type.Integer({
  description: 'The id of the newest message of the tenant before this was read; 0 if it has none.',
});

/** `search` finds in all conversations. The others narrow the list; of the labels, one can be given. */
export const ConversationsQuery = Type.Object({
  before: Type.Optional(MessageId),
  search: Type.Optional(Type.String({ maxLength: 255 })),
  view: Type.Optional(
    Type.Union([Type.Literal('unread'), Type.Literal('unassigned'), Type.Literal('mine')]),
  ),
  number: Type.Optional(Id),
  status_id: Type.Optional(Id),
  source_id: Type.Optional(Id),
  group_id: Type.Optional(Id),
});

/** `assignee` is the account of a member, or null for nobody. */
export const ConversationChange = Type.Object({
  phone: Type.String({ minLength: 2, maxLength: 220 }),
  read: Type.Optional(Type.Literal(true)),
  is_open: Type.Optional(Type.Boolean()),
  assignee: Type.Optional(Nullable('string', { maxLength: 100 })),
});

export const Conversations = DataResponse(
  Type.Object({
    conversations: Type.Array(Conversation),
    more: Type.Boolean(),
    newest,
    next: Nullable('integer', {
      description:
        'The `before` of the next page; null after the last one and for a search. A page by a label can be short or empty and have a next one.',
    }),
  }),
);

/** More unread conversations are not counted. */
export const maxUnreadCount = 100;

export const UnreadCount = DataResponse(
  Type.Object({
    count: Type.Integer({
      maximum: maxUnreadCount,
      description: `Conversations with unread messages. ${maxUnreadCount} means as many or more.`,
    }),
    newest,
  }),
);

export const Done = Type.Object({ success: Type.Literal(true) });

export const ThreadQuery = Type.Object({
  phone: Type.String({ minLength: 2, maxLength: 220 }),
  before: Type.Optional(MessageId),
});

export const Thread = DataResponse(
  Type.Object({
    person,
    phone: Type.String({ description: 'As requested.' }),
    shown_phone: Type.String({
      description:
        'As in the list of conversations. It differs if the request has a user id, and the phone is known by now.',
    }),
    name: Nullable('string'),
    contact_id: Nullable('integer'),
    number_id: Nullable('integer', {
      description: 'Id of the number that sends if the send names none; null without a number.',
    }),
    windows: Type.Array(Type.Object({ number_id: Type.Integer(), window_until: DateTime }), {
      description: 'Until when the numbers to which the person wrote may send free text.',
    }),
    ...state,
    messages: Type.Array(Message, { description: 'Newest first.' }),
    more: Type.Boolean(),
    newest,
  }),
);

export type MessageData = Static<typeof Message>;
export type ConversationData = Static<typeof Conversation>;
export type ConversationsFilter = Static<typeof ConversationsQuery>;

/** `after` is the id of the last event that the browser has. */
export const LiveQuery = Type.Object({ after: Type.Optional(Type.String({ maxLength: 100 })) });

const streamOwner = { email: Type.String(), user_id: Type.String() };

/** An event of the live stream. The first one of a stream says whose it is. */
export const LiveEvent = Type.Union([
  Type.Object(
    { kind: Type.Literal('ready'), ...streamOwner, newest: Type.Integer() },
    { description: 'The stream begins. Messages up to `newest` were stored before.' },
  ),
  Type.Object(
    { kind: Type.Literal('resumed'), ...streamOwner },
    { description: 'The stream continues where the previous one of this browser ended.' },
  ),
  Type.Object(
    { kind: Type.Literal('restarted'), ...streamOwner },
    { description: 'The stream begins, and events since the previous one were missed.' },
  ),
  Type.Object({ kind: Type.Literal('reload') }, { description: 'Events were missed.' }),
  Type.Object(
    {
      kind: Type.Literal('changed'),
      conversations: Type.Array(Conversation),
      messages: Type.Array(Type.Object({ ...Message.properties, person: Type.String() })),
    },
    {
      description:
        'Conversations as they are now, and messages that are new or have another status.',
    },
  ),
  Type.Object(
    {
      kind: Type.Literal('touched'),
      topics: Type.Array(Type.Unsafe<WatchedTopic>({ type: 'string', enum: [...watchedTopics] })),
    },
    { description: 'Something of these topics has changed.' },
  ),
]);
export type LiveEvent = Static<typeof LiveEvent>;
