import { type Static, Type } from 'typebox';
import { Coded } from '../../platform/errors/coded.ts';
import { Choice, doc, Nullable, NullableObject, Time } from '../../platform/http/field-schema.ts';
import { StoredJson } from '../../platform/http/stored-json.ts';
import { causeKinds } from './cause.ts';
import { MessageContent } from './content-schema.ts';

/** Every status of a message, as the API calls it. */
export const recordStatuses = [
  'unknown',
  'sent',
  'delivered',
  'read',
  'failed',
  'received',
] as const;
export type RecordStatus = (typeof recordStatuses)[number];

const networkId = 'wamid.HBgLMTQxNTU1NTAxMjM=';

export const MessageReference = Nullable(
  'string',
  doc('The `reference` of the send, or null.', 'order-1042'),
);

export const failureFields = {
  code: Nullable('integer', doc('The network’s error code, or null.', 131026)),
  title: Type.String(doc('The error in a few words.', 'Message undeliverable')),
  details: Nullable('string', doc('The network’s explanation, or null.', 'No WhatsApp account.')),
  message: Type.String(
    doc(
      'What the error means, in a sentence.',
      'The phone cannot receive this message; it may not be on WhatsApp.',
    ),
  ),
  retryable: Type.Boolean(
    doc('Whether the same message may succeed later without a change.', false),
  ),
};

/** A message as the API and its events show it. */
export const MessageRecord = Type.Object(
  {
    id: Type.Integer(doc('Parley’s id of the message.', 42)),
    message_id: Nullable('string', doc('The network’s id; null until it is known.', networkId)),
    direction: Choice(['out', 'in'], doc('`out`: sent by you. `in`: received.', 'out')),
    type: Type.String(
      doc('The network’s name of the type, such as `text`, `image` or `template`.', 'text'),
    ),
    status: Choice(
      recordStatuses,
      doc('The furthest status. `received` for every message from a person.', 'read'),
    ),
    phone_number: Nullable('string', doc('The person’s phone; null if hidden.', '+14155550123')),
    user_id: Nullable(
      'string',
      doc('The network’s id of the person, if it is known.', null, 'US.13491208655302741918'),
    ),
    contact_id: Nullable('integer', doc('The person’s contact, or null.', 7)),
    number: Type.Object(
      {
        phone_number_id: Type.String(doc('The network’s id of the number.', '106540352242922')),
        display_phone_number: Nullable('string', doc('Its phone, or null.', '+1 555 010 0200')),
      },
      { title: 'OwnNumber', ...doc('Your number that sent or received it.') },
    ),
    reference: MessageReference,
    cause: NullableObject(
      Type.Object(
        {
          kind: Choice(
            causeKinds,
            doc('`api` for a token; `app` for the WhatsApp Business app.', 'api'),
          ),
          id: Type.Unsafe<number | string | null>({
            type: ['integer', 'string', 'null'],
            ...doc('Id of the token, bot, store or campaign; a text for a member.', 3),
          }),
          name: Nullable('string', doc('Its name, or null.', 'Web shop')),
        },
        doc('What caused the message. Null for messages from people, and if it is not known.', {
          kind: 'api',
          id: 3,
          name: 'Web shop',
        }),
      ),
    ),
    content: StoredJson(MessageContent),
    reply_to: Nullable(
      'string',
      doc('The network’s id of the message to which this one replies, or null.', null, networkId),
    ),
    error: NullableObject(Type.Object(failureFields, doc('Why it failed, or null.', null))),
    pricing: NullableObject(
      Type.Object(
        {
          category: Type.String(doc('Price category.', 'utility')),
          type: Type.String(doc('`regular`, or why it is free.', 'regular')),
          billable: Type.Boolean(
            doc('Whether the network bills it. False if the message failed.', true),
          ),
        },
        doc('What the network reported about the price, or null.', {
          category: 'utility',
          type: 'regular',
          billable: true,
        }),
      ),
    ),
    created_at: Time('When the message was stored, or when the person sent it.'),
    sent_at: optionalTime('When the network had accepted it, or null.', '2026-11-21T09:30:05.000Z'),
    delivered_at: optionalTime('When it was delivered, or null.', '2026-11-21T09:30:07.000Z'),
    read_at: optionalTime('When it was read, or null.', '2026-11-21T09:31:40.000Z'),
    failed_at: optionalTime('When it failed, or null.', null),
  },
  { title: 'Message' },
);
export type MessageRecord = Static<typeof MessageRecord>;

/** The same for our own pages, with the person's name and the code of the sentence that explains a failure. */
export const CodedMessageRecord = Type.Object(
  {
    ...MessageRecord.properties,
    contact_name: Nullable('string'),
    error: NullableObject(Type.Object({ ...failureFields, message_says: Coded })),
  },
  { title: 'CodedMessage' },
);
export type CodedMessageRecord = Static<typeof CodedMessageRecord>;

function optionalTime(description: string, example: string | null) {
  return Nullable('string', { format: 'date-time', ...doc(description, example) });
}
