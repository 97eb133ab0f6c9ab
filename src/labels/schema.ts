import { type Static, type TObject, Type } from 'typebox';
import { Name } from '../platform/name.ts';
import { type LabelKind, labelKinds } from './label-kinds.ts';

const LabelName = Name(255, {
  description:
    'Unique in the tenant. Case and surrounding spaces do not count: names with the same capitals are the same.',
});
const color = {
  color: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: '^#[0-9a-fA-F]{6}$',
      examples: ['#22c55e'],
      'x-message': 'must be a color: # and six hex digits, such as #22c55e',
    }),
  ),
};
const description = {
  description: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 2000 }),
  ),
};
const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** A change; a create needs the name too. */
export type LabelChange = { name?: string; color?: string | null; description?: string | null };
export type NewLabel = LabelChange & { name: string };

const LabelRecord = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: NullableText,
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});
/** As the API and the events show it; `color` of statuses only. */
export type LabelRecord = Static<typeof LabelRecord> & { color?: string | null };

export const DeletedLabel = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({ id: Type.Integer(), deleted: Type.Literal(true) }),
});

/** What the shapes of a kind are called in the API description. */
const labelTitles = { statuses: 'Status', sources: 'Source', groups: 'Group' } as const;

/** The shapes of one kind of label. */
export function labelSchemas(kind: LabelKind) {
  const ownFields = labelKinds[kind].hasColor ? color : {};
  const { id, name, ...rest } = LabelRecord.properties;
  const title = labelTitles[kind];
  const Record = labelKinds[kind].hasColor
    ? Type.Object({ id, name, color: NullableText, ...rest }, { title })
    : Type.Object(LabelRecord.properties, { title });
  return {
    New: Type.Object(
      { name: LabelName, ...ownFields, ...description },
      { title: `New${title}` },
    ) as TObject<{ name: typeof LabelName } & typeof color & typeof description>,
    Change: Type.Object(
      { name: Type.Optional(LabelName), ...ownFields, ...description },
      { title: `${title}Change` },
    ),
    One: Type.Object({
      success: Type.Literal(true),
      data: Record,
      message: Type.Optional(Type.String()),
    }),
    All: Type.Object({ success: Type.Literal(true), data: Type.Array(Record) }),
  };
}
