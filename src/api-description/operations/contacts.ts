import type { WordList } from './words.ts';

const tag = 'Contacts';

export const contactExample = {
  id: 42,
  firstname: 'Ada',
  lastname: 'Lovelace',
  phone: '+14155550123',
  email: 'ada@example.com',
  company: 'Analytical Engines',
  city: 'London',
  status_id: 3,
  source_id: null,
  group_ids: [7],
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
};

export const contacts: WordList = {
  'POST /api/{tenant}/contacts': {
    operationId: 'createContact',
    tag,
    summary: 'Create a contact',
    description:
      'A phone belongs to one contact of the tenant. `status_id`, `source_id` and `group_ids` are ids ' +
      'of labels that the tenant has.',
    request: {
      firstname: 'Ada',
      lastname: 'Lovelace',
      phone: '+14155550123',
      email: 'ada@example.com',
      company: 'Analytical Engines',
      city: 'London',
    },
    success: 'The contact as it was stored.',
    answer: {
      success: true,
      message: 'The contact was created.',
      data: { ...contactExample, status_id: null, group_ids: [] },
    },
  },
  'GET /api/{tenant}/contacts': {
    operationId: 'listContacts',
    tag,
    summary: 'List contacts, page by page',
    description: 'A page past the end is empty.',
    success: 'One page of contacts.',
    answer: {
      success: true,
      data: [contactExample],
      pagination: { page: 1, per_page: 25, total: 1, total_pages: 1 },
    },
  },
  'GET /api/{tenant}/contacts/{id}': {
    operationId: 'getContact',
    tag,
    summary: 'Read one contact',
    success: 'The contact.',
    answer: { success: true, data: contactExample },
  },
  'PUT /api/{tenant}/contacts/{id}': {
    operationId: 'updateContact',
    tag,
    summary: 'Change a contact',
    description:
      'Changes the fields that are given and no other; null clears one. `group_ids` replaces the ' +
      'groups that the contact is in.',
    request: { company: 'Difference Engines', city: null },
    success: 'The contact as it is now.',
    answer: {
      success: true,
      message: 'The contact was updated.',
      data: { ...contactExample, company: 'Difference Engines', city: null },
    },
    faults: { email: ['must be an email address'] },
  },
  'DELETE /api/{tenant}/contacts/{id}': {
    operationId: 'deleteContact',
    tag,
    summary: 'Delete a contact and its conversation',
    description: 'Every message from and to the contact is deleted too. This cannot be undone.',
    success: 'It is gone.',
    answer: {
      success: true,
      message: 'The contact and its conversation were deleted. This cannot be undone.',
      data: { id: 42, deleted: true },
    },
  },
};
