import type { WordList } from './words.ts';

const times = { created_at: '2026-11-21T09:30:00.000Z', updated_at: '2026-11-21T09:30:00.000Z' };

export const labelExamples = {
  status: { id: 3, name: 'Customer', color: '#22c55e', description: 'Has bought once', ...times },
  source: { id: 5, name: 'Web shop', description: null, ...times },
  group: { id: 7, name: 'Newsletter', description: 'Asked to be told of news', ...times },
};

/** The same operations on each kind of label (spec, section 4.3). */
export const labels: WordList = {
  ...wordsOf('statuses', 'Statuses', 'status', { name: 'Customer', color: '#22c55e' }),
  ...wordsOf('sources', 'Sources', 'source', { name: 'Web shop' }),
  ...wordsOf('groups', 'Groups', 'group', { name: 'Newsletter' }),
};

function wordsOf(
  resource: string,
  tag: string,
  one: keyof typeof labelExamples,
  create: object,
): WordList {
  const Name = one.replace(/^./, (letter) => letter.toUpperCase());
  const path = `/api/{tenant}/${resource}`;
  const record = labelExamples[one];
  const faults = { name: ['is already taken'] };
  return {
    [`POST ${path}`]: {
      operationId: `create${Name}`,
      tag,
      summary: `Create a ${one}`,
      request: create,
      success: `The ${one} as it was stored.`,
      answer: { success: true, message: `The ${one} was created.`, data: record },
      faults,
    },
    [`GET ${path}`]: {
      operationId: `list${tag}`,
      tag,
      summary: `List all ${resource}`,
      success: `Every one, without pages.`,
      answer: { success: true, data: [record] },
    },
    [`GET ${path}/{id}`]: {
      operationId: `get${Name}`,
      tag,
      summary: `Read one ${one}`,
      success: `The ${one}.`,
      answer: { success: true, data: record },
    },
    [`PUT ${path}/{id}`]: {
      operationId: `update${Name}`,
      tag,
      summary: `Change a ${one}`,
      description: 'Changes the fields that are given and no other; null clears one.',
      request: { description: 'Has bought more than once' },
      success: `The ${one} as it is now.`,
      answer: {
        success: true,
        message: `The ${one} was updated.`,
        data: { ...record, description: 'Has bought more than once' },
      },
      faults,
    },
    [`DELETE ${path}/{id}`]: {
      operationId: `delete${Name}`,
      tag,
      summary: `Delete a ${one}`,
      description:
        'Its contacts stay, without it. Each of them gets a new `updated_at` and a `contact.updated` event, in the background.',
      success: 'It is gone.',
      answer: {
        success: true,
        message: `The ${one} was deleted and taken off its contacts.`,
        data: { id: record.id, deleted: true },
      },
    },
  };
}
