import { type Static, Type } from 'typebox';
import { doc, Nullable, RecordId, timestamps } from '../platform/http/field-schema.ts';
import { Id } from '../platform/id.ts';
import { Name, optionalLine } from '../platform/name.ts';
import { Phone } from '../platform/phone.ts';

const domainPart = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?';

const email = {
  pattern: `^(?:[^\\s\\p{Cc}@"(),:;<>[\\]\\\\]+@(?:${domainPart}\\.)+${domainPart})?$`,
  maxLength: 254,
  'x-message': 'must be an email address',
};

const words = {
  firstname: doc('First name.', 'Ada'),
  lastname: doc('Last name, or null.', 'Lovelace'),
  phone: doc('Phone number with country code. No two contacts have the same.', '+14155550123'),
  email: doc('Email address, or null.', 'ada@example.com'),
  company: doc('Company, or null.', 'Analytical Engines'),
  city: doc('City, or null.', 'London'),
  status_id: doc('Id of the contact’s status, or null.', 3),
  source_id: doc('Id of the contact’s source, or null.', 5),
  group_ids: doc('Ids of the contact’s groups.', [7]),
};

const Firstname = Name(255, words.firstname);

const ContactFields = {
  lastname: optionalLine(255, words.lastname),
  email: Type.Optional(Nullable('string', { ...email, ...words.email })),
  company: optionalLine(255, words.company),
  city: optionalLine(255, words.city),
  status_id: optionalId('status'),
  source_id: optionalId('source'),
  group_ids: Type.Optional(
    Type.Unsafe<number[] | null>({
      type: ['array', 'null'],
      items: { ...Id, 'x-message': 'must be ids of existing groups' },
      maxItems: 1_000,
      ...words.group_ids,
    }),
  ),
};

const example = { firstname: 'Ada', lastname: 'Lovelace', phone: '+14155550123', city: 'London' };

export const NewContact = Type.Object(
  { firstname: Firstname, phone: Phone, ...ContactFields },
  { title: 'NewContact', examples: [example] },
);
export type NewContact = Static<typeof NewContact>;

export const ContactChange = Type.Object(
  { firstname: Type.Optional(Firstname), phone: Type.Optional(Phone), ...ContactFields },
  { title: 'ContactChange', examples: [{ company: 'Difference Engines', city: null }] },
);
export type ContactChange = Static<typeof ContactChange>;

export const ContactRecord = Type.Object(
  {
    id: RecordId,
    firstname: Type.String(words.firstname),
    lastname: Nullable('string', words.lastname),
    phone: Type.String(words.phone),
    email: Nullable('string', words.email),
    company: Nullable('string', words.company),
    city: Nullable('string', words.city),
    status_id: Nullable('integer', words.status_id),
    source_id: Nullable('integer', words.source_id),
    group_ids: Type.Array(Type.Integer(), words.group_ids),
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
      'x-message': 'must be an integer, at least 1',
      ...doc('Number of the page, from 1.', 1),
    }),
    per_page: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 25,
      'x-message': 'must be an integer from 1 to 100',
      ...doc('Records per page.', 25),
    }),
    search: Type.Optional(
      Type.String({
        maxLength: 255,
        ...doc(
          'Part of the first name, last name, both with a space between, phone or email. Case is ignored, and no character is a wildcard.',
          'ada',
        ),
      }),
    ),
  },
  { additionalProperties: false },
);

const emailPattern = new RegExp(email.pattern, 'u');

export function isEmail(text: string): boolean {
  return text !== '' && text.length <= email.maxLength && emailPattern.test(text);
}

function optionalId(label: 'status' | 'source') {
  return Type.Optional(
    Nullable('integer', {
      ...Id,
      'x-message': `must be the id of an existing ${label}`,
      ...words[`${label}_id`],
    }),
  );
}
