import { Type } from 'typebox';
import { fault } from '../platform/errors/fault.ts';
import { NullableChoice } from '../platform/http/field-schema.ts';
import { Id } from '../platform/values/id.ts';
import { type EventType, eventTypes } from './schema.ts';

const success = Type.Literal(true);
const Time = Type.String({ format: 'date-time' });
/** Leap seconds are valid in this format, but JavaScript does not support them. */
const TimeBound = Type.String({
  format: 'date-time',
  pattern: '^.{17}[0-5]',
  'x-message': fault('not_a_time', 'must be a time such as 2026-11-21T10:00:00Z'),
});
const MaybeTime = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const MaybeText = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const MaybeInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] });

const Webhook = Type.Object({
  url: Type.String(),
  events: Type.Array(Type.String()),
  on: Type.Boolean(),
  off_reason: MaybeText,
  off_since: MaybeTime,
  failing_since: MaybeTime,
  previous_secret_until: MaybeTime,
});

const Quota = Type.Object({
  max_waiting: Type.Integer(),
  max_mb: Type.Integer(),
  recording: Type.Union([Type.Literal('all'), Type.Literal('changes'), Type.Literal('none')], {
    description: 'Which of the chosen events are recorded. `changes` is all except contact.read.',
  }),
  full_of: NullableChoice('waiting', 'bytes'),
  dropped: Type.Union([
    Type.Object({ events: Type.Integer(), since: Time, until: MaybeTime }),
    Type.Null(),
  ]),
});

export const WebhookSettings = Type.Object({
  success,
  data: Type.Object({
    webhook: Type.Union([Webhook, Type.Null()]),
    quota: Quota,
    event_types: Type.Array(Type.Unsafe<EventType>({ type: 'string', enum: eventTypes })),
  }),
});

export const SaveWebhook = Type.Object({
  on: Type.Boolean(),
  url: Type.String({ maxLength: 2_048 }),
  events: Type.Array(Type.String(), { maxItems: 50 }),
});

export const SavedWebhook = Type.Object({
  success,
  data: Type.Object({
    webhook: Webhook,
    secret: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The secret of a new webhook, which is shown only once.',
    }),
  }),
});

export const RotatedSecret = Type.Object({
  success,
  data: Type.Object({ secret: Type.String(), previous_secret_until: MaybeTime }),
});

const State = Type.Union([
  Type.Literal('waiting'),
  Type.Literal('delivered'),
  Type.Literal('failed'),
]);

export const DeliveriesQuery = Type.Object({
  id: Type.Optional(Type.String({ maxLength: 60 })),
  event: Type.Optional(Type.String({ maxLength: 60 })),
  state: Type.Optional(State),
  since: Type.Optional(TimeBound),
  until: Type.Optional(TimeBound),
  after: Type.Optional(Type.String({ maxLength: 80 })),
});

const Attempt = Type.Object({
  number: Type.Integer(),
  started_at: Time,
  duration_ms: Type.Integer(),
  status: MaybeInteger,
  reason: MaybeText,
  answer: MaybeText,
  next_try_at: MaybeTime,
});

const Delivery = Type.Object({
  id: Type.Integer(),
  webhook_id: Type.String(),
  event: Type.String(),
  state: State,
  reason: MaybeText,
  created_at: Time,
  next_try_at: MaybeTime,
  attempts: Type.Array(Attempt),
});

export const Deliveries = Type.Object({
  success,
  data: Type.Object({
    deliveries: Type.Array(Delivery),
    after: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Where the next page begins; null on the last one.',
    }),
  }),
});

export const Redeliver = Type.Object({
  id: Type.Optional(Id),
  since: Type.Optional(TimeBound),
  until: Type.Optional(TimeBound),
  failed: Type.Optional(Type.Boolean()),
});

export const Redelivered = Type.Object({
  success,
  data: Type.Object({ deliveries: Type.Integer() }),
});

export const TestSent = Type.Object({ success, data: Type.Object({ id: Type.Integer() }) });
