import { contactFields } from '../../api/contact-fields.ts';

export type ContactFieldName = (typeof contactFields)[number]['name'];

export const contactFieldNames = contactFields.map(({ name }) => name);

export const optionalFieldNames = contactFields
  .filter(({ isRequired }) => !isRequired)
  .map(({ name }) => name);

/** The types of fields that have a keyboard or a check of their own in browsers. */
const inputTypes: Record<string, 'tel' | 'email'> = { phone: 'tel', email: 'email' };

/** Returns the type of the `<input>` of a field. */
export function inputTypeOf({ type }: (typeof contactFields)[number]) {
  return inputTypes[type] ?? 'text';
}
