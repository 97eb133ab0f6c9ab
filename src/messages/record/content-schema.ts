import { Type } from 'typebox';
import { doc } from '../../platform/http/field-schema.ts';

const text = (description: string, example: string) =>
  Type.Optional(Type.String(doc(description, example)));
const object = (description: string, fields: Parameters<typeof Type.Object>[0] = {}) =>
  Type.Optional(Type.Object(fields, { additionalProperties: true, ...doc(description) }));

const choiceOf = (what: string) => ({
  id: Type.String(doc(`Id of the ${what}.`, 'confirm')),
  title: Type.String(doc(`Text of the ${what}.`, 'Confirm')),
});

const Media = {
  id: Type.String(doc('Id of the file.', 'message-42')),
  link: Type.String(doc('Path that serves the file.', '/api/demo/media/message-42')),
  url: text('The URL with which the file was sent.', 'https://files.example.com/invoice.pdf'),
  mime_type: text('Type of the file.', 'application/pdf'),
  filename: text('Name of the file.', 'invoice-1042.pdf'),
  size: Type.Optional(Type.Integer(doc('Size in bytes, if it is known.', 48_211))),
  voice: Type.Optional(Type.Boolean(doc('Whether it is a voice message.', true))),
};

/** The content of a message. Only the fields that the message has are there. */
export const MessageContent = Type.Object(
  {
    text: text('Text of the message, or the title of the chosen button or entry.', 'Hello'),
    caption: text('Text below a file.', 'Your invoice'),
    media: object('The file of an image, video, audio, document or sticker.', Media),
    button: object('The button that the person tapped.', choiceOf('button')),
    list: object('The entry that the person chose from a list.', choiceOf('entry')),
    form: object('The form that the person filled in: its `name`, and the `answer` as an object.'),
    location: object('`latitude`, `longitude`, and perhaps `name`, `address` and `url`.'),
    order: object('`catalog_id` and `product_items`, as the network sends them.'),
    reaction: object('`message_id` and `emoji`; without an emoji, the reaction was taken back.'),
    referral: object('The advertisement that led the person here, as the network sends it.'),
    referred_product: object(
      'The product that the message is about, as `catalog_id` and `product_retailer_id`.',
    ),
    forwarded: Type.Optional(Type.Boolean(doc('Whether the person forwarded the message.', true))),
    frequently_forwarded: Type.Optional(
      Type.Boolean(doc('Whether it was forwarded many times.', true)),
    ),
    contacts: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), doc('Shared contacts.')),
    ),
    template: object('`name`, `language` and `category` of a sent template.'),
    header: object('Header of a sent template: `format`, and `text` or `media`.'),
    body: text('Text of a sent template. A one-time password is masked.', 'Hello Ada'),
    footer: text('Footer of a sent template.', 'Reply STOP to opt out'),
    buttons: Type.Optional(
      Type.Array(
        Type.Object({}, { additionalProperties: true }),
        doc('Buttons of a sent template.'),
      ),
    ),
  },
  {
    additionalProperties: true,
    ...doc('What the message says. Depends on its type.', { text: 'Your order is on its way.' }),
  },
);
