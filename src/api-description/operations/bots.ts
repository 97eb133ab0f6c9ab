import type { WordList } from './words.ts';

const tag = 'Bots';

export const bots: WordList = {
  'GET /api/{tenant}/message-bots': {
    operationId: 'listMessageBots',
    tag,
    summary: 'List message bots and their keywords',
    description: 'A message bot answers an inbound message with text.',
    success: 'Every message bot, the inactive ones too.',
    answer: {
      success: true,
      data: [
        {
          id: 1,
          name: 'Opening hours',
          active: true,
          match: 'contains',
          keywords: ['open', 'hours'],
          reply: 'We are open from 9 to 17.',
        },
      ],
    },
  },
  'GET /api/{tenant}/template-bots': {
    operationId: 'listTemplateBots',
    tag,
    summary: 'List template bots and their templates',
    description: 'A template bot answers an inbound message with a template.',
    success: 'Every template bot, the inactive ones too.',
    answer: {
      success: true,
      data: [
        {
          id: 2,
          name: 'Welcome',
          active: true,
          match: 'first_message',
          keywords: [],
          template_name: 'welcome',
          template_language: 'en',
          fields: ['{{firstname|friend}}'],
        },
      ],
    },
  },
};
