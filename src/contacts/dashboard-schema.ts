import { Type } from 'typebox';
import { Coded } from '../platform/errors/coded.ts';
import { fault } from '../platform/errors/fault.ts';
import { Nullable } from '../platform/http/field-schema.ts';
import { DataResponse, Pagination } from '../platform/http/response-schema.ts';
import { Id } from '../platform/values/id.ts';
import { ContactPageQuery, ContactRecord } from './schema.ts';

/** 0 selects the contacts without a label of this kind. */
const label = Type.Optional(Type.Integer({ ...Id, minimum: 0 }));

export const ContactFilterQuery = Type.Object({
  ...ContactPageQuery.properties,
  status_id: label,
  source_id: label,
  group_id: label,
});

/** The contacts of an export or a bulk change: those that the list has with the same filter. */
export const ChosenContacts = Type.Omit(ContactFilterQuery, ['page', 'per_page']);

export const FilteredContacts = Type.Object({
  success: Type.Literal(true),
  data: Type.Array(ContactRecord),
  pagination: Type.Object({
    ...Pagination.properties,
    more: Type.Boolean({ description: 'There are more contacts than `total`.' }),
  }),
});

const ids = Type.Array(Id, { minItems: 1, maxItems: 500 });
const MaybeId = Type.Optional(Type.Unsafe<number | null>({ ...Id, type: ['integer', 'null'] }));

const assignment = {
  status_id: MaybeId,
  source_id: MaybeId,
  add_group_id: Type.Optional(Id),
  remove_group_id: Type.Optional(Id),
};

/** Sets the status or source of these contacts, or adds them to or removes them from a group. */
export const AssignContacts = Type.Object({ ids, ...assignment });

export const DeleteContacts = Type.Object({ ids });

export const ContactsDone = DataResponse(
  Type.Object({ contacts: Type.Integer({ description: 'How many of them exist.' }) }),
);

/** Assigns labels to all contacts that pass a filter, or deletes them. */
export const ChangeAllContacts = Type.Object({
  filter: ChosenContacts,
  change: Type.Union(
    [Type.Object({ delete: Type.Literal(true) }), Type.Object(assignment, { minProperties: 1 })],
    {
      'x-message': fault('not_a_change', 'must be {deletion}, or the ids of labels to assign', {
        deletion: '{"delete": true}',
      }),
    },
  ),
});

const BulkChange = Type.Object({
  id: Type.Integer(),
  state: Type.Union([
    Type.Literal('running'),
    Type.Literal('done'),
    Type.Literal('stopped'),
    Type.Literal('failed'),
  ]),
  problem: Nullable('string'),
  problem_says: Coded,
  deletes: Type.Boolean(),
  contacts: Type.Integer({ description: 'The contacts of the tenant when the change began.' }),
  looked_at: Type.Integer(),
  changed: Type.Integer(),
  started_at: Type.String({ format: 'date-time' }),
});

export const StartedBulkChange = DataResponse(BulkChange);
export const BulkChanges = DataResponse(Type.Array(BulkChange));

export const Done = Type.Object({ success: Type.Literal(true) });

export const ImportQuery = Type.Object({
  filename: Type.String({ minLength: 1, maxLength: 255 }),
  /** Phones of digits only begin with their country code. */
  phones: Type.Optional(Type.Literal('without_plus')),
  /** Creates the labels that do not exist. */
  labels: Type.Optional(Type.Literal('create')),
  /** Writes no contacts, and says which rows would be refused. */
  check: Type.Optional(Type.Literal('only')),
});

const ContactImport = Type.Object({
  id: Type.Integer(),
  filename: Type.String(),
  bytes: Type.Integer(),
  bytes_read: Type.Integer(),
  state: Type.Union([Type.Literal('running'), Type.Literal('done'), Type.Literal('failed')]),
  problem: Nullable('string'),
  problem_says: Coded,
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  refused: Type.Integer(),
  same_phone: Type.Integer({ description: 'Imported rows with the phone of an earlier row.' }),
  checked_rows: Nullable('integer', {
    description: 'The rows that could be imported, if the file was only checked.',
  }),
  read_columns: Type.Array(Type.Object({ heading: Type.String(), column: Type.String() })),
  ignored_columns: Type.Array(Type.String(), { description: 'At most the first 100.' }),
  missing_labels: Type.Array(
    Type.Object({
      label: Type.Union([Type.Literal('status'), Type.Literal('source'), Type.Literal('group')]),
      name: Type.String(),
      rows: Type.Integer(),
    }),
  ),
  has_report: Type.Boolean(),
  started_at: Type.String({ format: 'date-time' }),
});

/** The first rows that an import refused, and why. `field` is null if the whole row is at fault. */
export const RefusedRows = DataResponse(
  Type.Array(
    Type.Object({
      line: Type.Integer(),
      reasons: Type.Array(
        Type.Object({
          field: Nullable('string'),
          text: Type.String(),
          says: Coded,
        }),
      ),
    }),
  ),
);

export const StartedImport = DataResponse(ContactImport);
export const ContactImports = DataResponse(Type.Array(ContactImport));
