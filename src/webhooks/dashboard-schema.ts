import { Type } from 'typebox';
import { Coded } from '../platform/errors/coded.ts';
import { fault } from '../platform/errors/fault.ts';
import { Nullable, NullableChoice } from '../platform/http/field-schema.ts';
import { DataResponse } from '../platform/http/response-schema.ts';
import { Id } from '../platform/values/id.ts';
import { type AnyEventType, allEventTypes, type EventType, eventTypes } from './schema.ts';

const Time = Type.String({ format: 'date-time' });
const TimeBound = Type.String({
  format: 'date-time',
  'x-message': fault('not_a_time', 'must be a time such as 2026-11-21T10:00:00Z'),
});
const MaybeTexts = Type.Unsafe<string[] | null>({
  type: ['array', 'null'],
  items: { type: 'string' },
});

/** Which endpoint of the tenant is meant: the default one, unless it is given. */
const endpoint = Type.Optional(Type.Integer({ minimum: 0, maximum: 32_767 }));

export const EndpointQuery = Type.Object({ endpoint });

const Webhook = Type.Object({
  id: Type.Integer({ description: 'The default endpoint has 0.' }),
  name: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  numbers: MaybeTexts,
  kinds: MaybeTexts,
  causes: MaybeTexts,
  ordered: Type.Boolean(),
  gather_seconds: Nullable('integer'),
  header_names: Type.Array(Type.String()),
  on: Type.Boolean(),
  paused_since: Nullable('string'),
  off_reason: Nullable('string'),
  off_says: Coded,
  off_since: Nullable('string'),
  failing_since: Nullable('string'),
  previous_secret_until: Nullable('string'),
});

const State = Type.Union([
  Type.Literal('waiting'),
  Type.Literal('delivered'),
  Type.Literal('failed'),
]);

const Quota = Type.Object({
  max_waiting: Type.Integer(),
  max_mb: Type.Integer(),
  recording: Type.Union([Type.Literal('all'), Type.Literal('changes'), Type.Literal('none')], {
    description: 'Which of the chosen events are recorded. `changes` is all except contact.read.',
  }),
  full_of: NullableChoice('waiting', 'bytes'),
  dropped: Type.Union([
    Type.Object({ events: Type.Integer(), since: Time, until: Nullable('string') }),
    Type.Null(),
  ]),
});

export const WebhookSettings = DataResponse(
  Type.Object({
    webhook: Type.Union([Webhook, Type.Null()]),
    quota: Quota,
    event_types: Type.Array(Type.Unsafe<EventType>({ type: 'string', enum: eventTypes })),
    /** All of them, with those that are sent only to endpoints that chose them. */
    all_event_types: Type.Array(Type.Unsafe<AnyEventType>({ type: 'string', enum: allEventTypes })),
    message_kinds: Type.Array(Type.String()),
    message_causes: Type.Array(Type.String()),
  }),
);

export const Endpoints = DataResponse(
  Type.Object({
    endpoints: Type.Array(
      Type.Object({
        ...Webhook.properties,
        waiting: Type.Integer({ description: 'Waiting deliveries; 1,000 for more.' }),
        recording: Quota.properties.recording,
        last: Type.Union([
          Type.Object({ event: Type.String(), state: State, created_at: Time }),
          Type.Null(),
        ]),
      }),
    ),
  }),
);

const list = Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100 }));

export const SaveWebhook = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 200 })),
  on: Type.Boolean(),
  url: Type.String({ maxLength: 2_048 }),
  events: Type.Array(Type.String(), { maxItems: 50 }),
  /** Ids of the network. */
  numbers: list,
  kinds: list,
  causes: list,
  ordered: Type.Optional(Type.Boolean()),
  gather_seconds: Type.Optional(Nullable('integer')),
  /** Replace all headers. */
  headers: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({ maxLength: 200 }),
        value: Type.String({ maxLength: 8_192 }),
      }),
      { maxItems: 50 },
    ),
  ),
});

export const AddEndpoint = Type.Object({
  ...SaveWebhook.properties,
  name: Type.String({ maxLength: 200 }),
});

export const PauseWebhook = Type.Object({ paused: Type.Boolean() });

export const ChangedWebhook = DataResponse(Type.Object({ webhook: Webhook }));

export const Removed = DataResponse(Type.Object({}));

export const SavedWebhook = DataResponse(
  Type.Object({
    webhook: Webhook,
    secret: Nullable('string', {
      description: 'The secret of a new webhook, which is shown only once.',
    }),
  }),
);

export const RotatedSecret = DataResponse(
  Type.Object({ secret: Type.String(), previous_secret_until: Nullable('string') }),
);

export const DeliveriesQuery = Type.Object({
  endpoint,
  /** A delivery id, a webhook-id, a phone, a user id, `#` and the id of a contact, or the network's id of a message. */
  id: Type.Optional(Type.String({ maxLength: 255 })),
  event: Type.Optional(Type.String({ maxLength: 60 })),
  state: Type.Optional(State),
  since: Type.Optional(TimeBound),
  until: Type.Optional(TimeBound),
  after: Type.Optional(Type.String({ maxLength: 200 })),
});

const Attempt = Type.Object({
  number: Type.Integer(),
  started_at: Time,
  duration_ms: Type.Integer(),
  status: Nullable('integer'),
  reason: Nullable('string'),
  reason_says: Coded,
  answer: Nullable('string'),
  next_try_at: Nullable('string'),
});

const Delivery = Type.Object({
  id: Type.Integer(),
  webhook_id: Type.String(),
  event: Type.String(),
  state: State,
  reason: Nullable('string'),
  reason_says: Coded,
  created_at: Time,
  next_try_at: Nullable('string'),
  subject: Type.Object({
    name: Nullable('string'),
    contact_id: Nullable('integer'),
  }),
  attempts: Type.Array(Attempt),
});

export const DeliveryRequest = DataResponse(
  Type.Object({
    url: Type.String(),
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
    body: Nullable('string'),
  }),
);

export const Deliveries = DataResponse(
  Type.Object({
    deliveries: Type.Array(Delivery),
    after: Nullable('string', { description: 'Where the next page begins; null on the last one.' }),
  }),
);

export const Redeliver = Type.Object({
  id: Type.Optional(Id),
  since: Type.Optional(TimeBound),
  until: Type.Optional(TimeBound),
  failed: Type.Optional(Type.Boolean()),
  /** Those that wait for a later attempt. With `failed`, those of either. */
  waiting: Type.Optional(Type.Boolean()),
});

export const Redelivered = DataResponse(Type.Object({ deliveries: Type.Integer() }));

export const TestSent = DataResponse(Type.Object({ id: Type.Integer() }));
