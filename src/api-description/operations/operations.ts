import { bots } from './bots.ts';
import { contacts } from './contacts.ts';
import { labels } from './labels.ts';
import { messages } from './messages.ts';
import { stores } from './stores.ts';
import { templates } from './templates.ts';
import type { WordList } from './words.ts';

export type { Words } from './words.ts';

/** The words and examples of every operation. */
export const operations: WordList = {
  ...messages,
  ...contacts,
  ...labels,
  ...templates,
  ...bots,
  ...stores,
};

export const tags = [
  { name: 'Messages', description: 'Send messages and ask what became of them.' },
  { name: 'Contacts', description: 'The people you write to.' },
  { name: 'Statuses', description: 'Where a contact is in your pipeline.' },
  { name: 'Sources', description: 'Where a contact came from.' },
  { name: 'Groups', description: 'Sets of contacts.' },
  { name: 'Templates', description: 'Message forms that the network approved. Read only.' },
  { name: 'Bots', description: 'Answers to inbound messages. Read only.' },
  { name: 'Store webhooks', description: 'Where online stores post their events.' },
];
