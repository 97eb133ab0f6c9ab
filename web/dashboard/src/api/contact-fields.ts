// Written by scripts/write-openapi.ts from src/contacts/fields/contact-fields.ts. Do not edit.

/** The fields of a contact besides its labels. */
export const contactFields = [
  { name: 'firstname', type: 'line', isRequired: true },
  { name: 'lastname', type: 'line', isRequired: false },
  { name: 'phone', type: 'phone', isRequired: true },
  { name: 'email', type: 'email', isRequired: false },
  { name: 'company', type: 'line', isRequired: false },
  { name: 'city', type: 'line', isRequired: false },
  { name: 'external_id', type: 'line', isRequired: false },
] as const;
