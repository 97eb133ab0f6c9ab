import {
  contactFieldNames,
  contactFields,
  isRequired,
} from '../src/contacts/fields/contact-fields.ts';

const heading =
  '// Written by scripts/write-openapi.ts from src/contacts/fields/contact-fields.ts. Do not edit.\n';

/** Writes the list of contact fields for the dashboard's forms, in the order of the API. */
export function contactFieldList(): string {
  const fields = contactFieldNames.map((name) => ({
    name,
    type: contactFields[name].type,
    isRequired: isRequired(name),
  }));
  return `${heading}
/** The fields of a contact besides its labels. */
export const contactFields = ${JSON.stringify(fields)} as const;
`;
}
