import { Type } from 'typebox';
import { Coded } from '../platform/errors/coded.ts';
import { StoredJson } from '../platform/http/stored-json.ts';
import { Id } from '../platform/values/id.ts';
import { Template } from './schema.ts';

const success = Type.Literal(true);

/** A component as the network stores it, with the fields that the dashboard shows. */
const Component = Type.Object(
  {
    type: Type.String(),
    format: Type.Optional(Type.String()),
    text: Type.Optional(Type.String()),
    buttons: Type.Optional(
      Type.Array(
        Type.Object(
          {
            type: Type.String(),
            text: Type.Optional(Type.String()),
            url: Type.Optional(Type.String()),
          },
          { additionalProperties: true },
        ),
      ),
    ),
  },
  { additionalProperties: true },
);

const Slot = Type.Object({
  place: Type.Union([Type.Literal('header'), Type.Literal('body'), Type.Literal('button')]),
  placeholder: Type.String(),
  fields: Type.Array(Type.Integer()),
  button: Type.Optional(
    Type.Object({
      index: Type.Integer(),
      kind: Type.Union([Type.Literal('url'), Type.Literal('copy_code')]),
    }),
  ),
});

export const TemplateQuery = Type.Object({ number: Type.Optional(Id) });

/** The dashboard shows the slots of a template instead of the fields. */
const { fields: _, ...shownFields } = Template.properties;

export const TemplateOverview = Type.Object({
  success,
  data: Type.Object({
    synced_at: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    problem: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    problem_says: Coded,
    templates: Type.Array(
      Type.Object({
        ...shownFields,
        components: StoredJson(Type.Array(Component)),
        slots: Type.Array(Slot),
        header_format: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
        cannot_send: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'Why Parley cannot send it, even if it is approved.',
        }),
        cannot_send_says: Coded,
      }),
    ),
  }),
});

export const SyncedTemplates = Type.Object({
  success,
  data: Type.Object({ templates: Type.Integer(), approved: Type.Integer() }),
});
