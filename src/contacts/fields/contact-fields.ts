export type ContactField = {
  /** Determines which values are valid: see `field-types.ts`. `phone` identifies a contact. */
  type: 'line' | 'email' | 'phone';
  /** The type of the column in PostgreSQL. */
  column: 'text';
  /** A contact always has it. */
  required?: true;
  /** For the API description. */
  description: string;
  example: string;
  /** Headings of CSV files that mean this field, besides its own name: in lower case, without spaces. */
  csvNames: readonly string[];
};

/**
 * The fields of a contact besides its labels, in the order of the API. Everything that handles all fields
 * is derived from this table: record, insert, update, merge, import, export, API description, CLI and the
 * placeholders of bots.
 */
export const contactFields = {
  firstname: {
    type: 'line',
    column: 'text',
    required: true,
    description: 'First name.',
    example: 'Ada',
    csvNames: ['givenname', 'name'],
  },
  lastname: {
    type: 'line',
    column: 'text',
    description: 'Last name, or null.',
    example: 'Lovelace',
    csvNames: ['familyname', 'surname'],
  },
  phone: {
    type: 'phone',
    column: 'text',
    required: true,
    description: 'Phone number with country code. No two contacts have the same.',
    example: '+14155550123',
    csvNames: [
      ...['phonenumber', 'mobile', 'mobilephone', 'mobilenumber', 'mobilephonenumber', 'telephone'],
      ...['whatsapp', 'whatsappnumber', 'whatsappphonenumber', 'billingphone', 'phone1value'],
    ],
  },
  email: {
    type: 'email',
    column: 'text',
    description: 'Email address, or null.',
    example: 'ada@example.com',
    csvNames: ['emailaddress', 'mail', 'email1value'],
  },
  company: {
    type: 'line',
    column: 'text',
    description: 'Company, or null.',
    example: 'Analytical Engines',
    csvNames: ['companyname', 'organization', 'organisation', 'organizationname'],
  },
  city: {
    type: 'line',
    column: 'text',
    description: 'City, or null.',
    example: 'London',
    csvNames: ['town'],
  },
  external_id: {
    type: 'line',
    column: 'text',
    description:
      'Your own id of the contact, such as that of a CRM, or null. No two contacts have the same.',
    example: 'crm-1042',
    csvNames: ['externalid', 'customerid'],
  },
} as const satisfies Record<string, ContactField>;

export type ContactFieldName = keyof typeof contactFields;
export type RequiredField = 'firstname' | 'phone';
export type OptionalField = Exclude<ContactFieldName, RequiredField>;

/** The values of all fields. */
export type ContactTexts = Record<RequiredField, string> & Record<OptionalField, string | null>;

export const contactFieldNames = Object.keys(contactFields) as ContactFieldName[];

export const optionalFieldNames = contactFieldNames.filter(
  (name): name is OptionalField => !isRequired(name),
);

export function isRequired(name: ContactFieldName): name is RequiredField {
  return 'required' in contactFields[name];
}

/** Makes an object with a value for each of some fields. */
export function byField<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}
