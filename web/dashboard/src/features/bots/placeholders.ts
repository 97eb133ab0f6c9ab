import { contactFieldNames } from '../contacts/contact-fields.ts';

/** The placeholders that a reply can have: the fields of the contact, its full name, and the message. */
export const placeholders = new Intl.ListFormat('en-GB').format(
  [...contactFieldNames, 'name', 'message'].map((name) => `{{${name}}}`),
);
