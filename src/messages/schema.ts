import { type Static, Type } from 'typebox';
import { NewContact } from '../contacts/schema.ts';
import { optionalLine } from '../platform/name.ts';
import { Phone } from '../platform/phone.ts';

/** A field that may be left out; null counts as absent. */
function optional<Name extends 'string' | 'boolean'>(type: Name, rules: object) {
  type Value = Name extends 'string' ? string : boolean;
  return Type.Optional(Type.Unsafe<Value | null>({ type: [type, 'null'], ...rules }));
}

export const SendText = Type.Object(
  {
    phone_number: Phone,
    type: Type.Literal('text', { 'x-message': 'must be "text"' }),
    message: Type.String({
      pattern: '\\S',
      maxLength: 4096,
      'x-message': 'must have 1 to 4,096 characters, and not only spaces',
      description: 'The text, at most 4,096 characters.',
      examples: ['Your order is on its way.'],
    }),
  },
  { title: 'SendText' },
);

const MediaUrl = Type.String({
  maxLength: 2048,
  description: 'Public address of the file; the network fetches it from there.',
  examples: ['https://files.example.com/invoice.pdf'],
});

export const SendMedia = Type.Object(
  {
    phone_number: Phone,
    type: Type.Union(
      [
        Type.Literal('image'),
        Type.Literal('document'),
        Type.Literal('video'),
        Type.Literal('audio'),
      ],
      { 'x-message': 'must be one of image, document, video, audio' },
    ),
    media_url: MediaUrl,
    caption: optional('string', {
      maxLength: 1024,
      description: 'Not passed on with audio, which has none.',
    }),
    filename: optionalLine(240, { description: 'Shown with a document.' }),
  },
  { title: 'SendMedia' },
);

const field = (description: string) => optional('string', { maxLength: 1024, description });

const ContactToCreate = Type.Object(
  {
    firstname: NewContact.properties.firstname,
    lastname: NewContact.properties.lastname,
    email: NewContact.properties.email,
  },
  {
    description: 'Created with the accepted message when no contact has the phone.',
    examples: [{ firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com' }],
  },
);

export const SendTemplate = Type.Object(
  {
    phone_number: Phone,
    template_name: Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'Name of an approved template.',
      examples: ['order_update'],
    }),
    template_language: Type.String({ minLength: 1, maxLength: 32, examples: ['en', 'ur'] }),
    field_1: field('Value of the placeholder {{1}}.'),
    field_2: field('Value of the placeholder {{2}}.'),
    field_3: field(
      'Value of the placeholder {{3}}; field_4 and so on where the template has more.',
    ),
    header_media_url: Type.Optional(
      Type.Unsafe<string | null>({ ...MediaUrl, type: ['string', 'null'] }),
    ),
    contact: Type.Optional(
      Type.Unsafe<Static<typeof ContactToCreate> | null>({
        ...ContactToCreate,
        type: ['object', 'null'],
      }),
    ),
    auto_generate_otp: optional('boolean', {
      description: 'The service makes the one-time password and answers it.',
    }),
  },
  {
    title: 'SendTemplate',
    patternProperties: {
      '^field_[0-9]{1,6}$': field('Value of the placeholder of its number.'),
    },
  },
);

const MessageId = Type.Integer({
  description: 'Our id of the message; `GET /messages/id:{id}` looks it up.',
  examples: [42],
});

const sent = {
  message_id: Type.String({ description: 'The network’s identifier of the message.' }),
  phone_number: Type.String(),
  status: Type.Literal('sent'),
  id: MessageId,
};

export const SentMessage = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  data: Type.Object(sent),
});

export const SentTemplate = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({
    ...sent,
    otp: Type.Optional(
      Type.String({ description: 'With auto_generate_otp: six digits, shown here only.' }),
    ),
  }),
});

export const MessageStatus = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    message_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'The network’s identifier of the message; null only in a lookup by `id:{id}`, until it is known.',
    }),
    status: Type.Union([
      Type.Literal('unknown'),
      Type.Literal('sent'),
      Type.Literal('delivered'),
      Type.Literal('read'),
      Type.Literal('failed'),
    ]),
    timestamp: Type.String({
      format: 'date-time',
      description: 'When the status was reached, UTC; if unknown, when the send began.',
    }),
    id: MessageId,
    error: Type.Optional(
      Type.Object({
        code: Type.Union([Type.Integer(), Type.Null()]),
        title: Type.String(),
        details: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
  }),
});
