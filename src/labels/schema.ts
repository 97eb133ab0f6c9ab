import { type Static, type TObject, Type } from 'typebox';
import { fault } from '../platform/errors/fault.ts';
import { doc, Nullable, RecordId, timestamps } from '../platform/http/field-schema.ts';
import { Name } from '../platform/values/texts/name.ts';
import { type LabelKind, labelKinds } from './label-kinds.ts';

const colorWords = doc('Color as `#rrggbb`, or null.', '#22c55e');

const Color = Type.Optional(
  Nullable('string', {
    pattern: '^#[0-9a-fA-F]{6}$',
    'x-message': fault('not_a_color', 'must be a color: # and six hex digits, such as #22c55e'),
    ...colorWords,
  }),
);
/** The fields that an update may change. */
export type LabelChange = { name?: string; color?: string | null; description?: string | null };
export type NewLabel = LabelChange & { name: string };

/** The names of a kind's schemas in the API description, and an example of the kind. */
const kindWords = {
  statuses: { title: 'Status', tag: 'Statuses', example: ['Customer', 'Has placed an order'] },
  sources: { title: 'Source', tag: 'Sources', example: ['Web shop', 'Signed up in the shop'] },
  groups: { title: 'Group', tag: 'Groups', example: ['Newsletter', 'Subscribed to the news'] },
};

/** Builds the schemas of one kind of label, with its names in the API description. */
export function labelSchemas(kind: LabelKind) {
  const { title, tag, example } = kindWords[kind];
  const { hasColor } = labelKinds[kind];
  const nameWords = doc(
    'Unique in the tenant. Case and surrounding spaces are ignored.',
    example[0],
  );
  const descriptionWords = doc('Meaning of the label, or null.', example[1]);
  const NewName = Name(255, nameWords);
  const Description = Type.Optional(Nullable('string', { maxLength: 2000, ...descriptionWords }));
  // Typed as objects without fields, because only statuses have a color.
  const color: object = hasColor ? { color: Color } : {};
  const recordColor: object = hasColor ? { color: Nullable('string', colorWords) } : {};
  return {
    title,
    tag,
    New: Type.Object(
      { name: NewName, ...color, description: Description },
      { title: `New${title}` },
    ) as TObject<{ name: typeof NewName; color: typeof Color; description: typeof Description }>,
    Change: Type.Object(
      { name: Type.Optional(NewName), ...color, description: Description },
      { title: `${title}Change`, examples: [{ description: example[1] }] },
    ),
    Record: Type.Object(
      {
        id: RecordId,
        name: Type.String(nameWords),
        ...recordColor,
        description: Nullable('string', descriptionWords),
        ...timestamps,
      },
      { title },
    ),
  };
}

/** A label in the API and in events; only statuses have a `color`. */
export type LabelRecord = Static<ReturnType<typeof labelSchemas>['Record']> & {
  color?: string | null;
};
