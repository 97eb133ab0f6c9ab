import { Type } from 'typebox';
import { doc, RecordId } from '../platform/http/field-schema.ts';

const Component = Type.Object(
  { type: Type.String(doc('`HEADER`, `BODY`, `FOOTER` or `BUTTONS`.', 'BODY')) },
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
      doc(
        'The parts as the network stores them: each with its type and, if it has one, its text.',
        [{ type: 'BODY', text: 'Hello {{1}}, your order {{2}} is on its way.' }],
      ),
    ),
  },
  { title: 'Template' },
);
