import { Type } from 'typebox';
import { Coded } from '../platform/errors/coded.ts';
import { Nullable } from '../platform/http/field-schema.ts';
import { DataResponse } from '../platform/http/response-schema.ts';
import { StoredJson } from '../platform/http/stored-json.ts';
import { Id } from '../platform/values/id.ts';
import { Template } from './schema.ts';

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

export const TemplateOverview = DataResponse(
  Type.Object({
    synced_at: Nullable('string'),
    problem: Nullable('string'),
    problem_says: Coded,
    templates: Type.Array(
      Type.Object({
        ...shownFields,
        rejected_reason: Nullable('string', {
          description: 'The network’s word for why it rejected the template, such as `SCAM`.',
        }),
        components: StoredJson(Type.Array(Component)),
        slots: Type.Array(Slot),
        header_format: Nullable('string'),
        cannot_send: Nullable('string', {
          description: 'Why Parley cannot send it, even if it is approved.',
        }),
        cannot_send_says: Coded,
      }),
    ),
  }),
);

export const SyncedTemplates = DataResponse(
  Type.Object({ templates: Type.Integer(), approved: Type.Integer() }),
);
