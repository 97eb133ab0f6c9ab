import { type Static, Type } from 'typebox';
import { Id } from '../platform/id.ts';
import { Name, optionalLine } from '../platform/name.ts';
import { Phone } from '../platform/phone.ts';

const Firstname = Name(255);

const domainPart = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?';

const email = {
  pattern: `^(?:[^\\s\\p{Cc}@"(),:;<>[\\]\\\\]+@(?:${domainPart}\\.)+${domainPart})?$`,
  maxLength: 254,
  'x-message': 'must be an email address',
};

const ContactFields = {
  lastname: optionalLine(255, { description: 'Last name; null for none.' }),
  email: optionalText({ ...email, description: 'Email address; null for none.' }),
  company: optionalLine(255, { description: 'Company; null for none.' }),
  city: optionalLine(255, { description: 'City; null for none.' }),
  status_id: optionalId('status'),
  source_id: optionalId('source'),
  group_ids: Type.Optional(
    Type.Unsafe<number[] | null>({
      type: ['array', 'null'],
      items: { ...Id, 'x-message': 'must be ids of existing groups' },
      maxItems: 1_000,
      description: 'Ids of the groups to be in; replaces those it is in.',
    }),
  ),
};

export const NewContact = Type.Object(
  { firstname: Firstname, phone: Phone, ...ContactFields },
  { title: 'NewContact' },
);
export type NewContact = Static<typeof NewContact>;

export const ContactChange = Type.Object(
  { firstname: Type.Optional(Firstname), phone: Type.Optional(Phone), ...ContactFields },
  { title: 'ContactChange' },
);
export type ContactChange = Static<typeof ContactChange>;

export const ContactRecord = Type.Object(
  {
    id: Type.Integer(),
    firstname: Type.String(),
    lastname: nullable('string'),
    phone: Type.String(),
    email: nullable('string'),
    company: nullable('string'),
    city: nullable('string'),
    status_id: nullable('integer'),
    source_id: nullable('integer'),
    group_ids: Type.Array(Type.Integer()),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Contact' },
);
export type ContactRecord = Static<typeof ContactRecord>;

/** Unknown parameters are refused. */
export const ContactPageQuery = Type.Object(
  {
    page: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 1,
      'x-message': 'must be an integer, at least 1',
    }),
    per_page: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 25,
      'x-message': 'must be an integer from 1 to 100',
    }),
    search: Type.Optional(
      Type.String({
        maxLength: 255,
        description:
          'Part of the first name, last name, both with a space between, phone or email; case does not matter, and no character has a special meaning.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const OneContact = Type.Object({
  success: Type.Literal(true),
  data: ContactRecord,
  message: Type.Optional(Type.String()),
});

export const ContactPage = Type.Object({
  success: Type.Literal(true),
  data: Type.Array(ContactRecord),
  pagination: Type.Object({
    page: Type.Integer(),
    per_page: Type.Integer(),
    total: Type.Integer(),
    total_pages: Type.Integer(),
  }),
});

export const DeletedContact = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({ id: Type.Integer(), deleted: Type.Literal(true) }),
});

const emailPattern = new RegExp(email.pattern, 'u');

export function isEmail(text: string): boolean {
  return text !== '' && text.length <= email.maxLength && emailPattern.test(text);
}

function optionalText(rules: object) {
  return Type.Optional(Type.Unsafe<string | null>({ ...rules, type: ['string', 'null'] }));
}

function optionalId(label: string) {
  return Type.Optional(
    Type.Unsafe<number | null>({
      ...Id,
      type: ['integer', 'null'],
      description: `Id of the ${label} to assign; null for none.`,
      'x-message': `must be the id of an existing ${label}`,
    }),
  );
}

function nullable<Name extends 'string' | 'integer'>(type: Name) {
  return Type.Unsafe<(Name extends 'string' ? string : number) | null>({ type: [type, 'null'] });
}
