import { Type } from 'typebox';
import { fault } from '../platform/errors/fault.ts';
import { exampleCursor } from '../platform/http/cursor.ts';
import { doc, Time } from '../platform/http/field-schema.ts';
import { StoredJson } from '../platform/http/stored-json.ts';

const maxLimit = 500;
export const maxWaitSeconds = 25;

/** The query of the list of events. Unknown parameters are refused. */
export const EventsQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        maxLength: 100,
        ...doc(
          '`next` of the response before. Leave it out at first: then the oldest events come first.',
          exampleCursor,
        ),
      }),
    ),
    types: Type.Optional(
      Type.String({
        maxLength: 1_000,
        ...doc(
          'Event types and families, separated by commas. Without it, all events.',
          'message.*,contact.updated',
        ),
      }),
    ),
    limit: Type.Integer({
      minimum: 1,
      maximum: maxLimit,
      default: 100,
      'x-message': fault('events_limit_shape', 'must be an integer from 1 to {max}', {
        max: maxLimit,
      }),
      ...doc('The maximum number of events. Long events make a response end earlier.', 100),
    }),
    wait: Type.Integer({
      minimum: 0,
      maximum: maxWaitSeconds,
      default: 0,
      'x-message': fault('events_wait_shape', 'must be an integer from 0 to {max}', {
        max: maxWaitSeconds,
      }),
      ...doc('If there is no event yet, how many seconds to wait for one.', 25),
    }),
  },
  { additionalProperties: false },
);

/** An event in the log. */
export const LoggedEvent = Type.Object(
  {
    id: Type.String(
      doc('Id of the event, the same as `webhook-id` of its deliveries.', 'evt_42_mhn3k9c0'),
    ),
    event: Type.String(
      doc('The type of the event. Later versions may add types.', 'message.delivered'),
    ),
    created_at: Time('When the event was recorded, in UTC.'),
    data: StoredJson(
      Type.Object(
        {},
        {
          additionalProperties: true,
          ...doc('The record, as in the `WebhookEvent` of the same type.'),
        },
      ),
    ),
  },
  { title: 'Event' },
);

export const EventsResponse = Type.Object(
  {
    success: Type.Literal(true, doc('The request was carried out.')),
    data: Type.Array(LoggedEvent, { description: 'The events, oldest first.' }),
    pagination: Type.Object(
      {
        next: Type.String(
          doc('`after` of the next request, also if there is no event.', exampleCursor),
        ),
      },
      doc('Where to continue.'),
    ),
  },
  { description: 'Events after the cursor.' },
);
