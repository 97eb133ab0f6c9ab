import { Type } from 'typebox';
import { ContactTextFields } from '../contacts/schema.ts';
import { Coded } from '../platform/errors/coded.ts';
import { Choice, Nullable, NullableChoice, NullableObject } from '../platform/http/field-schema.ts';
import { DataResponse } from '../platform/http/response-schema.ts';
import { StoredJson } from '../platform/http/stored-json.ts';
import { Id } from '../platform/values/id.ts';
import { ShownTemplate } from '../templates/shown-template.ts';
import { storeEventStates } from './activity/event-queries.ts';
import { notAPlatform, type PlatformName, platformNames } from './platforms/platforms.ts';
import { TopicAction } from './schema.ts';

const Time = Type.String({ format: 'date-time' });
const Platform = Type.Unsafe<PlatformName>({ enum: platformNames, 'x-message': notAPlatform });

const counts = {
  received: Type.Integer(),
  refused: Type.Integer(),
  repeated: Type.Integer(),
  done: Type.Integer(),
  nothing_to_do: Type.Integer(),
  skipped: Type.Integer(),
  failed: Type.Integer(),
  messages_sent: Type.Integer(),
};

const NumberId = Nullable('integer', {
  description: 'Id of the number that sends its messages; null for the rule of every send.',
});

const Store = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  platform: Platform,
  url: Type.String({ description: 'The address that the store posts to.' }),
  country: Nullable('string'),
  number_id: NumberId,
  has_secret: Type.Boolean(),
  authentication: NullableChoice('header', 'basic'),
  paused_since: Nullable('string', {
    description: 'Since when its posts wait, because the operator of the service has paused it.',
  }),
  pause_reason: Nullable('string', { description: 'What the operator says about the pause.' }),
  created_at: Time,
  ...counts,
  last_seen_at: Nullable('string'),
  last_refusal: Nullable('string'),
  quiet_since: Nullable('string'),
});

export const Stores = DataResponse(Type.Array(Store));

const PlatformDetails = Type.Object({
  name: Platform,
  title: Type.String({ description: 'The name that people see.' }),
  set_up_steps: Type.Array(Type.Object({ text: Type.String(), says: Coded })),
  own_secret: Nullable('string', {
    description:
      'Where to find the secret of a platform that signs with a secret of its own; null if the owner chooses it.',
  }),
  own_secret_says: Coded,
});

export const Platforms = DataResponse(Type.Array(PlatformDetails));

const Authentication = Type.Union([
  Type.Object({
    type: Type.Literal('header'),
    name: Type.String({ maxLength: 100 }),
    value: Type.String({ maxLength: 1000 }),
  }),
  Type.Object({
    type: Type.Literal('basic'),
    username: Type.String({ maxLength: 200 }),
    password: Type.String({ maxLength: 1000 }),
  }),
]);

export const CreateStore = Type.Object({
  platform: Platform,
  name: Type.String({ maxLength: 200 }),
  country: Type.Optional(Type.String({ maxLength: 2 })),
  number_id: Type.Optional(NumberId),
  secret: Type.Optional(
    Nullable('string', { maxLength: 1000, description: 'Generated if left out; null for none.' }),
  ),
  authentication: Type.Optional(Authentication),
});

export const ChangeStore = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 200 })),
  country: Type.Optional(
    Nullable('string', { maxLength: 2, description: 'Two letters (ISO 3166); null for none.' }),
  ),
  number_id: Type.Optional(NumberId),
});

export const ChangeKeys = Type.Object({
  secret: Type.Optional(
    Nullable('string', { maxLength: 1000, description: 'Kept if left out; null for none.' }),
  ),
  new_secret: Type.Optional(
    Type.Boolean({ description: 'Generates a secret, in place of `secret`.' }),
  ),
  authentication: Type.Optional(
    Type.Union([Authentication, Type.Null()], { description: 'Kept if left out; null for none.' }),
  ),
});

export const StoreWithSecret = DataResponse(
  Type.Object({ id: Type.Integer(), url: Type.String(), secret: Nullable('string') }),
);

export const StoreDetails = DataResponse(
  Type.Object({
    store: Store,
    topics: Type.Array(
      Type.Object({
        topic: Type.String(),
        action: TopicAction,
        is_set: Type.Boolean(),
        has_no_buyer: Type.Boolean({ description: 'Its posts never have a phone.' }),
      }),
    ),
    days: Type.Array(Type.Object({ day: Type.String(), ...counts })),
  }),
);

const EventState = Choice(storeEventStates);

export const StoreEventsQuery = Type.Object({
  before: Type.Optional(Id),
  state: Type.Optional(EventState),
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'The number of an order, or the phone of a buyer.',
    }),
  ),
});

const StoreEvent = Type.Object({
  id: Type.Integer(),
  topic: Nullable('string'),
  state: EventState,
  reason: Nullable('string'),
  reason_says: Coded,
  attempts: Type.Integer(),
  next_try_at: Nullable('string'),
  received_at: Time,
  is_sample: Type.Boolean(),
  replay_of: Nullable('integer'),
  resource_number: Nullable('string', {
    description: 'The number of an order, or the id of another resource.',
  }),
  phone: Nullable('string', { description: 'The phone of the buyer.' }),
  contact_id: Nullable('integer'),
  message_id: Nullable('string'),
  sends_again: Type.Boolean({
    description:
      'Whether a replay sends its message once more, because it was sent or may have been.',
  }),
  message_failure: Nullable('string', {
    description: 'Why the message failed after the network had accepted it.',
  }),
  message_failure_says: Coded,
});

export const StoreEvents = DataResponse(
  Type.Object({ events: Type.Array(StoreEvent), more: Type.Boolean() }),
);

export const StoreEventsReplayed = DataResponse(
  Type.Object({
    replayed: Type.Integer(),
    more: Type.Boolean({ description: 'Whether there are more that can be replayed.' }),
  }),
);

export const StorePayload = DataResponse(
  Type.Object({ payload: Type.String({ description: 'The body as it was received.' }) }),
);

export const PreviewTopic = Type.Object({
  topic: Type.String({ maxLength: 40 }),
  action: TopicAction,
  event_id: Type.Optional(
    Type.Integer({ ...Id, description: 'A stored event; if left out, a sample of the topic.' }),
  ),
});

const Preview = Type.Object({
  state: Type.Union([
    Type.Literal('to_do'),
    Type.Literal('nothing_to_do'),
    Type.Literal('skipped'),
    Type.Literal('failed'),
  ]),
  reason: Nullable('string'),
  reason_says: Coded,
  buyer: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
  }),
  contact: NullableObject(
    Type.Object({
      ...ContactTextFields,
      mode: Type.Union([Type.Literal('upsert'), Type.Literal('fill')]),
      outcome: Type.Union([
        Type.Literal('created'),
        Type.Literal('updated'),
        Type.Literal('unchanged'),
      ]),
      changes: Type.Array(Type.String()),
    }),
  ),
  message: NullableObject(
    Type.Object({
      phone: Type.String(),
      template: Type.String(),
      language: Type.String(),
      fields: Type.Array(Type.String()),
      shown: StoredJson(Type.Union([ShownTemplate, Type.Null()])),
      withheld: Nullable('string', {
        description: 'Why it is not to be sent: the payload does not meet the condition.',
      }),
      withheld_says: Coded,
      problem: Nullable('string'),
      problem_says: Coded,
    }),
  ),
});

export const TopicPreview = DataResponse(Type.Object({ preview: Preview, payload: Type.String() }));

export const TestStore = Type.Object({
  topic: Type.String({ maxLength: 40 }),
  phone: Type.Optional(Type.String({ maxLength: 40 })),
});

export const StoreDone = DataResponse(Type.Object({ id: Type.Integer() }));
export const StoreTested = DataResponse(Type.Object({ status: Type.Integer() }));

export type { TopicAction };
