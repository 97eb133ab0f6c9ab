import { Type } from 'typebox';

/** The template record of the spec's section 2.5. */
export const Template = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String({ description: 'Used as template_name when sending.' }),
    language: Type.String({ examples: ['en', 'ur'] }),
    status: Type.String({ examples: ['APPROVED'] }),
    category: Type.String({ examples: ['UTILITY', 'MARKETING', 'AUTHENTICATION'] }),
    components: Type.Array(
      Type.Object({ type: Type.String({ examples: ['BODY'] }) }, { additionalProperties: true }),
      {
        description: 'As the network has them: each with its type and, where it has one, its text.',
      },
    ),
  },
  { title: 'Template' },
);

export const TemplateList = Type.Object({
  success: Type.Literal(true),
  data: Type.Array(Template),
});
