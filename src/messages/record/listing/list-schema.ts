import { type Static, Type } from 'typebox';
import { NumberName } from '../../../numbers/number-name.ts';
import { fault } from '../../../platform/errors/fault.ts';
import { cursorQuery } from '../../../platform/http/cursor.ts';
import { Choice, doc, Nullable, NullableObject } from '../../../platform/http/field-schema.ts';
import { Id } from '../../../platform/values/id.ts';
import { Recipient } from '../../../platform/values/phones/recipient.ts';
import { causeKinds } from '../cause.ts';
import { MessageRecord, recordStatuses } from '../record-schema.ts';

const time = (description: string, example: string) =>
  Type.Optional(Type.String({ format: 'date-time', ...doc(description, example) }));

export const MessagesQuery = Type.Object(
  {
    ...cursorQuery,
    phone_number: Type.Optional({
      ...Recipient,
      ...doc(
        'Only with this person: the phone, with its + written as %2B, or the user id.',
        '+14155550123',
      ),
    }),
    contact_id: Type.Optional({ ...Id, ...doc('Only with this contact.', 7) }),
    number: NumberName,
    direction: Type.Optional(
      Choice(['out', 'in'], doc('`out` for sent messages, `in` for received ones.', 'out')),
    ),
    status: Type.Optional(Choice(recordStatuses, doc('Only with this status.', 'failed'))),
    error_code: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 999_999_999 }), Type.Literal('none')], {
        'x-message': fault(
          'not_error_code',
          'must be an error code of the network, such as 131026, or none',
        ),
        ...doc(
          'Only failed with this error code of the network, as in `error.code`; `none` for failures without a code.',
          131026,
        ),
      }),
    ),
    type: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9_]{0,31}$',
        ...doc('Only of this type, such as `text` or `template`.', 'template'),
      }),
    ),
    cause: Type.Optional(Choice(causeKinds, doc('Only sent for this cause.', 'store'))),
    reference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        ...doc('Only with exactly this `reference`.', 'order-1042'),
      }),
    ),
    message_id: Type.Optional(
      Type.String({
        minLength: 1,
        ...doc(
          'Only this message, sent or received: its `message_id`, or `id:` and its `id`, such as `id:42`.',
          'id:42',
        ),
      }),
    ),
    from_time: time('Only from this time on.', '2026-11-01T00:00:00Z'),
    to_time: time('Only before this time.', '2026-12-01T00:00:00Z'),
  },
  { additionalProperties: false },
);
export type MessagesQuery = Static<typeof MessagesQuery>;

export const ConversationsQuery = Type.Object(
  { ...cursorQuery, number: NumberName },
  { additionalProperties: false },
);

export const ConversationMessagesQuery = Type.Object(cursorQuery, { additionalProperties: false });

/** The path parameter that names a conversation. */
export const PersonName = Type.String(
  doc('The person’s phone with country code, or user id.', '+14155550123'),
);

export const ConversationRecord = Type.Object(
  {
    phone_number: Nullable('string', doc('The person’s phone; null if hidden.', '+14155550123')),
    user_id: Nullable(
      'string',
      doc('The network’s id of the person, if it is known.', 'US.13491208655302741918'),
    ),
    contact_id: Nullable('integer', doc('The person’s contact, or null.', 7)),
    name: Nullable('string', doc('Name of the contact, or null.', 'Ada Lovelace')),
    number: MessageRecord.properties.number,
    last_message: { ...MessageRecord, description: 'The newest message.' },
    unread: Type.Integer(doc('Received messages that nobody has read in the dashboard.', 2)),
    is_open: Type.Boolean(doc('Whether somebody should answer.', true)),
    assignee: NullableObject(
      Type.Object(
        {
          id: Type.String(doc('Id of the member.', 'q7TzB4nWv8YdkX9fQ2mLr')),
          name: Nullable('string', doc('Name of the member, or null.', 'Grace Hopper')),
        },
        doc('The member who answers, or null.', { id: 'q7TzB4nWv8YdkX9fQ2mLr', name: 'Grace' }),
      ),
    ),
    window_until: Nullable('string', {
      format: 'date-time',
      ...doc(
        'Until when that number may send free text; null if the person never wrote to it.',
        '2026-11-22T09:30:05.000Z',
      ),
    }),
  },
  { title: 'Conversation' },
);
