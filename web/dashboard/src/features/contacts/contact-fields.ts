import { contacts as texts } from '../../../../texts/contacts.ts';
import { contactFields } from '../../api/contact-fields.ts';

export type ContactFieldName = (typeof contactFields)[number]['name'];

export const contactFieldNames = contactFields.map(({ name }) => name);

export const optionalFieldNames = contactFields
  .filter(({ isRequired }) => !isRequired)
  .map(({ name }) => name);

/** Their names in forms. The type check fails if a field has none. */
export const fieldLabels: Record<ContactFieldName, string> = texts.fields;

/** The types of fields that have a keyboard or a check of their own in browsers. */
const inputTypes: Record<string, 'tel' | 'email'> = { phone: 'tel', email: 'email' };

/** Returns the type of the `<input>` of a field. */
export function inputTypeOf({ type }: (typeof contactFields)[number]) {
  return inputTypes[type] ?? 'text';
}
