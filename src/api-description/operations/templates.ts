import type { WordList } from './words.ts';

export const templates: WordList = {
  'GET /api/{tenant}/templates': {
    operationId: 'listTemplates',
    tag: 'Templates',
    summary: 'List approved templates',
    description: 'They are written and approved outside the API, in your account with the network.',
    success: 'Every approved template of the account that you send from.',
    answer: {
      success: true,
      data: [
        {
          id: 11,
          name: 'order_update',
          language: 'en',
          status: 'APPROVED',
          category: 'UTILITY',
          components: [{ type: 'BODY', text: 'Hello {{1}}, your order {{2}} is on its way.' }],
        },
      ],
    },
  },
};
