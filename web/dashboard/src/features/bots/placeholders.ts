import { formatList } from '../../../../texts/format.ts';
import { contactFieldNames } from '../contacts/contact-fields.ts';

/** The placeholders that a reply can have: the fields of the contact, its full name, and the message. */
export const placeholders = (): string =>
  formatList(
    [...contactFieldNames, 'name', 'message', 'metadata.name'].map((name) => `{{${name}}}`),
  );
