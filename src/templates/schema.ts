import { Type } from 'typebox';
import { Choice, doc, RecordId } from '../platform/http/field-schema.ts';

const Component = Type.Object(
  {
    type: Type.String(doc('`HEADER`, `BODY`, `FOOTER` or `BUTTONS`.', 'BODY')),
    text: Type.String(
      doc(
        'The text with its placeholders; empty if the part has none, such as buttons.',
        'Hello {{1}}!',
      ),
    ),
  },
  { additionalProperties: true },
);

/** The template record (docs/spec.md, section 2.5). */
export const Template = Type.Object(
  {
    id: RecordId,
    name: Type.String(doc('`template_name` of a send.', 'order_update')),
    language: Type.String(doc('`template_language` of a send.', 'en', 'ur')),
    status: Type.String(doc('Only approved templates are listed.', 'APPROVED')),
    category: Type.String(doc('The network’s category.', 'UTILITY', 'MARKETING', 'AUTHENTICATION')),
    components: Type.Array(
      Component,
      doc('The parts as the network stores them: each with its type and its text.', [
        { type: 'BODY', text: 'Hello {{1}}, your order {{2}} is on its way.' },
      ]),
    ),
    fields: Type.Array(
      Type.Object({
        name: Type.String(doc('The field of a send.', 'field_1')),
        place: Choice(
          ['header', 'body', 'button'],
          doc('The part of the template that it fills.', 'body'),
        ),
        placeholder: Type.String(
          doc('The text between the braces; `code` for the coupon code of a button.', '1'),
        ),
        button: Type.Optional(
          Type.Integer(doc('The index of the button among the buttons, from 0.', 0)),
        ),
        or: Type.Optional(
          Type.String(doc('The field that is used if a send does not have this one.', 'field_1')),
        ),
      }),
      doc('Which `field_N` of a send fills which placeholder, in the order of the template.', [
        { name: 'field_1', place: 'body', placeholder: '1' },
        { name: 'field_2', place: 'body', placeholder: '2' },
      ]),
    ),
  },
  { title: 'Template' },
);
