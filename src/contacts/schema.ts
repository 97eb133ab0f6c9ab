import { type Static, type TString, type TUnsafe, Type } from 'typebox';
import { fault } from '../platform/errors/fault.ts';
import { doc, Nullable, RecordId, timestamps } from '../platform/http/field-schema.ts';
import { Id } from '../platform/values/id.ts';
import { Phone } from '../platform/values/phones/phone.ts';
import { Name } from '../platform/values/texts/name.ts';
import {
  byField,
  contactFieldNames,
  contactFields,
  isRequired,
  type OptionalField,
  optionalFieldNames,
  type RequiredField,
} from './fields/contact-fields.ts';
import { fieldTypes } from './fields/field-types.ts';
import { MetadataOfRecord, OptionalMetadata } from './fields/metadata.ts';
import { unknownGroups, unknownLabel } from './writing/faults/contact-errors.ts';

const docs = {
  ...byField(contactFieldNames, (name) => {
    const { description, example } = contactFields[name];
    return doc(description, example);
  }),
  status_id: doc('Id of the contact’s status, or null.', 3),
  source_id: doc('Id of the contact’s source, or null.', 5),
  group_ids: doc('Ids of the contact’s groups.', [7]),
};

const Firstname = Name(255, docs.firstname);

const OptionalFields = {
  ...byField(optionalFieldNames, (name) =>
    fieldTypes[contactFields[name].type].optional(docs[name]),
  ),
  status_id: optionalId('status'),
  source_id: optionalId('source'),
  group_ids: Type.Optional(
    Type.Unsafe<number[] | null>({
      type: ['array', 'null'],
      items: { ...Id, 'x-message': unknownGroups },
      maxItems: 1_000,
      ...docs.group_ids,
    }),
  ),
  metadata: OptionalMetadata,
};

const example = { firstname: 'Ada', lastname: 'Lovelace', phone: '+14155550123', city: 'London' };

const objects = { 'x-objects': ['metadata'] };

export const NewContact = Type.Object(
  { firstname: Firstname, phone: Phone, ...OptionalFields },
  { title: 'NewContact', examples: [example], ...objects },
);
export type NewContact = Static<typeof NewContact>;

export const ContactChange = Type.Object(
  { firstname: Type.Optional(Firstname), phone: Type.Optional(Phone), ...OptionalFields },
  { title: 'ContactChange', examples: [{ company: 'Difference Engines', city: null }], ...objects },
);
export type ContactChange = Static<typeof ContactChange>;

/** A row of a file. Its phone identifies the contact, which may be known and then needs no first name. */
export const ContactRow = Type.Object(
  { firstname: Type.Optional(Firstname), phone: Phone, ...OptionalFields },
  objects,
);

/** The fields of a contact besides its labels, in responses. */
export const ContactTextFields = byField(contactFieldNames, (name) =>
  isRequired(name) ? Type.String(docs[name]) : Nullable('string', docs[name]),
) as Record<RequiredField, TString> & Record<OptionalField, TUnsafe<string | null>>;

export const ContactRecord = Type.Object(
  {
    id: RecordId,
    ...ContactTextFields,
    phone: Nullable(
      'string',
      doc(
        `${contactFields.phone.description} Null only for a person who wrote first and whose phone WhatsApp hides.`,
        contactFields.phone.example,
      ),
    ),
    user_id: Nullable(
      'string',
      doc('The newest user id that WhatsApp gave the person, or null if it named none.', null),
    ),
    username: Nullable('string', doc('The person’s WhatsApp username, or null.', null)),
    status_id: Nullable('integer', docs.status_id),
    source_id: Nullable('integer', docs.source_id),
    group_ids: Type.Array(Type.Integer(), docs.group_ids),
    metadata: MetadataOfRecord,
    ...timestamps,
  },
  { title: 'Contact' },
);
export type ContactRecord = Static<typeof ContactRecord>;

/** The query of a list of contacts. Unknown parameters are refused. */
export const ContactPageQuery = Type.Object(
  {
    page: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 1,
      'x-message': fault('page_shape', 'must be an integer from 1 to 9007199254740991'),
      ...doc('Number of the page, from 1.', 1),
    }),
    per_page: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 25,
      'x-message': fault('per_page_shape', 'must be an integer from 1 to 100'),
      ...doc('Records per page.', 25),
    }),
    search: Type.Optional(
      Type.String({
        // A first and a last name, with a space between.
        maxLength: 511,
        ...doc(
          'Part of the first name, last name, both with a space between, phone or email. Case is ignored, and no character is a wildcard.',
          'ada',
        ),
      }),
    ),
  },
  { additionalProperties: false },
);

const contactSorts = [
  'created_at',
  '-created_at',
  'updated_at',
  'firstname',
  '-last_message_at',
] as const;
export type ContactSort = (typeof contactSorts)[number];

const filterId = (label: 'status' | 'source' | 'group') =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      ...doc(`Only contacts with this ${label}; 0 for contacts without one.`, 3),
    }),
  );

const exactText = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, ...doc(description, example) }));

const notATime = fault(
  'not_a_time',
  'must be an ISO 8601 time with its offset, such as 2026-11-24T09:30:00Z',
);

/** The query of the API's list of contacts. */
export const ContactListQuery = Type.Object(
  {
    ...ContactPageQuery.properties,
    status_id: filterId('status'),
    source_id: filterId('source'),
    group_id: filterId('group'),
    phone: Type.Optional(
      Type.String({
        ...Phone,
        ...doc('Only the contact with this phone, in any of its forms.', '+14155550123'),
      }),
    ),
    email: exactText(
      254,
      'Only contacts with exactly this email. Case is ignored.',
      'ada@example.com',
    ),
    external_id: exactText(255, 'Only the contact with this id of yours.', 'crm-1042'),
    updated_after: Type.Optional(
      Type.String({
        format: 'date-time',
        'x-message': notATime,
        ...doc('Only contacts that were changed after this time.', '2026-11-24T09:30:00Z'),
      }),
    ),
    sort: Type.Optional(
      Type.Union(
        contactSorts.map((sort) => Type.Literal(sort)),
        doc(
          'The order. By default `created_at`, the oldest contact first. A minus means descending. With `-last_message_at`, contacts without a message come last.',
          'firstname',
        ),
      ),
    ),
    after: Type.Optional(
      Type.String({
        maxLength: 2_000,
        ...doc(
          '`next` of the page before. Leave it out for the first page.',
          'dDq4bWn0Y1dYq0hXeyJwYWdlIjoxfQ',
        ),
      }),
    ),
  },
  { additionalProperties: false },
);
export type ContactListQuery = Static<typeof ContactListQuery>;

export const ContactPhoneQuery = Type.Object({ phone: Phone }, { additionalProperties: false });
export type ContactPhoneQuery = Static<typeof ContactPhoneQuery>;

function optionalId(label: 'status' | 'source') {
  return Type.Optional(
    Nullable('integer', {
      ...Id,
      'x-message': unknownLabel(label),
      ...docs[`${label}_id`],
    }),
  );
}
