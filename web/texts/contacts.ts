import messages from './en/contacts.json' with { type: 'json' };
import { translator } from './translator.ts';

export const contacts = translator(messages);
