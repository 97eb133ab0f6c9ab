import { contacts as texts } from '../../../../texts/contacts.ts';
import type { ContactData } from '../../api/records.ts';

/** The fields of a contact besides its labels. */
export type ContactFieldName = Exclude<
  keyof ContactData,
  'id' | 'status_id' | 'source_id' | 'group_ids' | 'created_at' | 'updated_at'
>;

type ContactField = { isRequired?: boolean; input?: 'tel' | 'email' };

/** The fields of the form, in its order. The type check fails if the API has another field. */
export const contactFields: Record<ContactFieldName, ContactField> = {
  firstname: { isRequired: true },
  lastname: {},
  phone: { isRequired: true, input: 'tel' },
  email: { input: 'email' },
  company: {},
  city: {},
};

/** Their names. */
export const fieldLabels: Record<ContactFieldName, string> = texts.fields;

export const contactFieldNames = Object.keys(contactFields) as ContactFieldName[];
export const optionalFieldNames = contactFieldNames.filter(
  (name) => !contactFields[name].isRequired,
);
