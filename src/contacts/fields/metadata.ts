import sql, { type Sql } from 'sql-template-tag';
import { type TUnsafe, Type } from 'typebox';
import { type Fault, fault } from '../../platform/errors/fault.ts';
import { doc } from '../../platform/http/field-schema.ts';
import { contactFieldNames } from './contact-fields.ts';

/** Values that a tenant keeps with a contact under names of its own. */
export type Metadata = Record<string, string>;

export const maxEntries = 50;
const maxNameLength = 40;
const maxValueLength = 500;

/** Names that are easily mistaken for a field of the contact. */
const reserved = [
  ...contactFieldNames,
  'id',
  'user_id',
  'username',
  'status_id',
  'source_id',
  'group_ids',
  'metadata',
  'created_at',
  'updated_at',
];

const rules = {
  maxProperties: maxEntries,
  propertyNames: {
    allOf: [
      {
        pattern: '^[\\p{L}\\p{M}\\p{N}_-]{1,40}$',
        'x-message': fault(
          'metadata_name_shape',
          'must have names of 1 to {max} letters, digits, _ and -',
          { max: maxNameLength },
        ),
      },
      {
        not: { enum: reserved },
        'x-message': fault(
          'metadata_name_reserved',
          'must not have the name of a field of the contact: {names}',
          { names: reserved.join(', ') },
        ),
      },
    ],
  },
  additionalProperties: { type: 'string', maxLength: maxValueLength },
};

const docs = doc(
  `Values of your own, by name: up to ${maxEntries} strings of up to ${maxValueLength} characters. The names have 1 to ${maxNameLength} letters, digits, _ and -. Texts of bots use them as {{metadata.name}}.`,
  { plan: 'gold', birthday: '12-10' },
);

/** The field in a body. It replaces all entries; null removes them. */
export const OptionalMetadata = Type.Optional(
  Type.Unsafe<Metadata | null>({
    type: ['object', 'null'],
    ...rules,
    'x-message': tooManyStrings(),
    ...docs,
  }),
);

/** The field in a response. */
export const MetadataOfRecord: TUnsafe<Metadata> = Type.Unsafe<Metadata>({
  type: 'object',
  additionalProperties: Type.String(),
  ...docs,
});

function tooManyStrings(): Fault {
  return fault('metadata_shape', 'must be an object of at most {max} strings', {
    max: maxEntries,
  });
}

/** The entries of two contacts that become one; those of `kept` win. If these are too many, only those of `kept`. */
export function metadataOfBoth(kept: Sql, other: Sql): Sql {
  return sql`case when (select count(*) from jsonb_object_keys(${other} || ${kept})) <= ${maxEntries}
    then ${other} || ${kept} else ${kept} end`;
}
