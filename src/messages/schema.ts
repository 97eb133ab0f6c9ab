import { type Static, type TSchema, Type } from 'typebox';
import { NewContact } from '../contacts/schema.ts';
import { fault } from '../platform/errors/fault.ts';
import { Choice, doc, Nullable, Time } from '../platform/http/field-schema.ts';
import { SuccessResponse } from '../platform/http/response-schema.ts';
import { Recipient } from '../platform/values/phones/recipient.ts';
import { optionalLine } from '../platform/values/texts/name.ts';
import { exampleNetworkId as networkId } from './message-name.ts';
import { failureFields, MessageReference } from './record/record-schema.ts';

const from = Type.Optional(
  Nullable('string', {
    maxLength: 64,
    ...doc(
      'The number that sends: its phone with country code, or the network’s id of it. Otherwise ' +
        'the number of the latest message with the person sends, or the default number.',
      '+15550100200',
      '106540352242922',
    ),
  }),
);

const reference = Type.Optional(
  Nullable('string', {
    maxLength: 256,
    ...doc(
      'Your own text, such as an order number. The response, the lookup and the list of messages have it, and ' +
        'the list finds messages by it. It need not be unique.',
      'order-1042',
    ),
  }),
);

const dryRun = Type.Optional(
  Nullable(
    'boolean',
    doc(
      'Checks everything that Parley can check, and sends and stores nothing. The status is `valid`. It counts ' +
        'against the minute, but not against the day, and ignores an Idempotency-Key.',
      true,
    ),
  ),
);

export const SendText = Type.Object(
  {
    phone_number: Recipient,
    from,
    reference,
    dry_run: dryRun,
    type: Type.Literal('text', {
      'x-message': fault('not_text', 'must be "text"'),
      ...doc('Always `text`.'),
    }),
    message: Type.String({
      pattern: '\\S',
      maxLength: 4096,
      'x-message': fault('text_length', 'must have 1 to {max} characters, and not only spaces', {
        max: 4_096,
      }),
      ...doc('The text, at most 4,096 characters.', 'Your order is on its way.'),
    }),
  },
  { title: 'SendText' },
);

const contactRequest = 'request_contact_info';

export const SendInteractive = Type.Object(
  {
    phone_number: Recipient,
    from,
    reference,
    dry_run: dryRun,
    interactive: Type.Object(
      {
        type: Type.Literal(contactRequest, {
          'x-message': fault('not_one_of', 'must be one of {known}', { known: contactRequest }),
          ...doc('`request_contact_info`: a button by which the person shares the own phone.'),
        }),
        body: Type.Object(
          {
            text: Type.String({
              pattern: '\\S',
              maxLength: 1024,
              'x-message': fault(
                'text_length',
                'must have 1 to {max} characters, and not only spaces',
                { max: 1_024 },
              ),
              ...doc('The text above the button.', 'May we have your phone number?'),
            }),
          },
          doc('The message.'),
        ),
        action: Type.Optional(
          Type.Object(
            { name: Type.Literal(contactRequest, doc('The type.')) },
            doc('Always this name.'),
          ),
        ),
      },
      doc('With the network’s own field names.'),
    ),
  },
  { title: 'SendInteractive' },
);

const mediaUrl = {
  maxLength: 2048,
  ...doc(
    'Public URL from which the network fetches the file.',
    'https://files.example.com/invoice.pdf',
  ),
};

const mediaId = {
  maxLength: 64,
  ...doc(
    'The `media_id` of an uploaded file, in place of a URL. Its number sends it.',
    'upload-42',
  ),
};

export const SendMedia = Type.Object(
  {
    phone_number: Recipient,
    from,
    reference,
    dry_run: dryRun,
    type: Type.Union(
      [
        Type.Literal('image'),
        Type.Literal('document'),
        Type.Literal('video'),
        Type.Literal('audio'),
      ],
      {
        'x-message': fault('not_one_of', 'must be one of {known}', {
          known: 'image, document, video, audio',
        }),
        ...doc('Kind of the file.', 'document'),
      },
    ),
    media_url: Type.Optional(Nullable('string', mediaUrl)),
    media_id: Type.Optional(Nullable('string', mediaId)),
    caption: Type.Optional(
      Nullable('string', {
        maxLength: 1024,
        ...doc('Text below the file. Not sent with audio.', 'Your invoice'),
      }),
    ),
    filename: optionalLine(240, doc('File name, shown with a document.', 'invoice-1042.pdf')),
  },
  {
    title: 'SendMedia',
    // One of the two fields of a file.
    examples: [
      {
        phone_number: '+14155550123',
        type: 'document',
        media_url: 'https://files.example.com/invoice.pdf',
        caption: 'Your invoice',
        filename: 'invoice-1042.pdf',
      },
    ],
  },
);

const field = (description: string, example: string) =>
  Type.Optional(Nullable('string', { maxLength: 1024, ...doc(description, example) }));

/**
 * Declares as many fields as templates usually have, because generated clients have no place for names that only a
 * pattern describes.
 */
function namedFields() {
  const examples = ['Ada', '#1042', 'Friday'];
  const fields: Record<`field_${number}`, ReturnType<typeof field>> = {};
  for (let number = 1; number <= 10; number++) {
    const further = number === 10 ? ' Further placeholders: `field_11` etc.' : '';
    const description = `Value of the placeholder {{${number}}}.${further}`;
    fields[`field_${number}`] = field(description, examples[number - 1] ?? '10 a.m.');
  }
  return fields;
}

const { firstname, lastname, email } = NewContact.properties;
const ContactToCreate = Type.Object({ firstname, lastname, email });

const phone_number = '+14155550123';
const otpTemplate = { phone_number, template_name: 'login_code', template_language: 'en_US' };
const ada = { firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com' };

export const SendTemplate = Type.Object(
  {
    phone_number: Recipient,
    from,
    reference,
    dry_run: dryRun,
    template_name: Type.String({
      minLength: 1,
      maxLength: 512,
      ...doc('Name of an approved template.', 'order_update'),
    }),
    template_language: Type.String({
      minLength: 1,
      maxLength: 32,
      ...doc('Language of the template; `en` and `en_US` are two languages.', 'en', 'ur'),
    }),
    ...namedFields(),
    header_media_url: Type.Optional(Nullable('string', mediaUrl)),
    header_media_id: Type.Optional(Nullable('string', mediaId)),
    header_filename: optionalLine(
      240,
      doc(
        'File name, shown with a document in the header. Otherwise that of the upload, if it has one.',
        'invoice-1042.pdf',
      ),
    ),
    contact: Type.Optional(
      Type.Unsafe<Static<typeof ContactToCreate> | null>({
        ...ContactToCreate,
        type: ['object', 'null'],
        ...doc(
          'Created with the accepted message, if no contact has this phone number. After `outcome_unknown` without an `Idempotency-Key`, create the contact yourself. Not for a user id.',
          ada,
        ),
      }),
    ),
    auto_generate_otp: Type.Optional(
      Nullable('boolean', doc('Generates a one-time password and returns it as `otp`.', true)),
    ),
  },
  {
    title: 'SendTemplate',
    patternProperties: {
      '^field_[0-9]{1,6}$': field('Value of the placeholder with this number.', '10 a.m.'),
    },
    'x-examples': {
      template: {
        summary: 'A template with three placeholders',
        value: {
          phone_number,
          template_name: 'order_update',
          template_language: 'en',
          field_1: 'Ada',
          field_2: '#1042',
          field_3: 'Friday',
        },
      },
      otp: {
        summary: 'A generated one-time password',
        value: { ...otpTemplate, auto_generate_otp: true },
      },
      own_otp: {
        summary: 'Your own one-time password',
        value: { ...otpTemplate, field_1: '493817' },
      },
      otp_and_contact: {
        summary: 'A generated one-time password, and a contact to create',
        value: { ...otpTemplate, auto_generate_otp: true, contact: ada },
      },
    },
  },
);

const MessageId = Type.Integer(doc('Parley’s id of the message, for `GET /messages/id:{id}`.', 42));

const recipient = {
  phone_number: Type.String(doc('Phone number or user id of the recipient.', phone_number)),
};
const sentReference = Type.Optional(
  Type.String(doc('The `reference` of the send, if it has one.', 'order-1042')),
);

/**
 * The message of a send, and the result of a `dry_run`, which has no ids.
 *
 * @param title the name of the schema of the message
 */
function sentOrValid<Fields extends Record<string, TSchema>>(
  title: string,
  fields: Fields,
  example: object = {},
) {
  const ids = { message_id: networkId, phone_number, status: 'sent', id: 42 };
  const examples = [{ ...ids, ...example }];
  const results = [
    Type.Object(
      {
        message_id: Type.String(doc('The network’s id of the message.', networkId)),
        ...recipient,
        status: Type.Literal('sent', doc('The network accepted the message.', 'sent')),
        id: MessageId,
        reference: sentReference,
        ...fields,
      },
      { title },
    ),
    Type.Object(
      {
        ...recipient,
        status: Type.Literal('valid', doc('The result of a `dry_run`.', 'valid')),
        reference: sentReference,
      },
      { title: 'ValidMessage' },
    ),
  ] as const;
  const discriminator = {
    propertyName: 'status',
    mapping: { sent: `#/components/schemas/${title}`, valid: '#/components/schemas/ValidMessage' },
  };
  return Type.Union([...results], { examples, discriminator });
}

/** The text of the response to every accepted send. */
export const accepted = 'The network accepted the message.';
/** The same after a dry run. */
export const checked = 'The message is valid. Nothing was sent.';
const acceptedMessage = 'The accepted message. Look up its status later.';

export const SentMessage = {
  ...SuccessResponse(acceptedMessage, sentOrValid('SentMessage', {}), accepted),
  title: 'SentMessageResponse',
};

export const SentTemplate = {
  ...SuccessResponse(
    acceptedMessage,
    sentOrValid(
      'SentTemplate',
      {
        otp: Type.Optional(
          Type.String(
            doc(
              'The generated password. It is not stored, so the response to a retry lacks it: then send another one ' +
                'with a new Idempotency-Key.',
              '493817',
            ),
          ),
        ),
      },
      { otp: '493817' },
    ),
    accepted,
  ),
  title: 'SentTemplateResponse',
};

const SendFailure = Type.Object(
  failureFields,
  doc('Why the message failed; only with the status `failed`.'),
);

const reachedStatuses = ['sent', 'delivered', 'read', 'failed'] as const;

export const MessageStatus = SuccessResponse(
  'The furthest status that the message has reached.',
  Type.Object(
    {
      message_id: Nullable(
        'string',
        doc(
          'The network’s id of the message; null until it is known, which only a lookup by `id:{id}` shows.',
          networkId,
        ),
      ),
      status: Choice(
        ['unknown', ...reachedStatuses],
        doc('`unknown` until the network reports another status.', 'delivered'),
      ),
      timestamp: Time('When the status was reached, in UTC. For `unknown`, when the send began.'),
      id: MessageId,
      reference: MessageReference,
      error: Type.Optional(SendFailure),
      timeline: Type.Array(
        Type.Object({
          status: Choice(reachedStatuses, doc('The status.', 'sent')),
          at: Time('When it was reached, in UTC.'),
        }),
        doc('Every status that the message has reached, in the order of their times.'),
      ),
    },
    {
      examples: [
        {
          message_id: networkId,
          status: 'delivered',
          timestamp: '2026-11-21T09:30:05.000Z',
          id: 42,
          reference: 'order-1042',
          timeline: [
            { status: 'sent', at: '2026-11-21T09:30:04.000Z' },
            { status: 'delivered', at: '2026-11-21T09:30:05.000Z' },
          ],
        },
      ],
    },
  ),
);
