import { errorBody } from '../../errors.ts';
import { errorAnswer } from '../answers.ts';
import type { WordList } from './words.ts';

export const stores: WordList = {
  'POST /api/webhooks/{webhook_id}': {
    operationId: 'receiveStoreEvent',
    tag: 'Store webhooks',
    summary: 'Take the post of an online store',
    description:
      'Store platforms post their events here. No API token: a post is known by the signature and ' +
      'the authentication that were set for the store, each as its platform does it ' +
      '(`X-WC-Webhook-Signature`, `X-Shopify-Hmac-Sha256`, or `X-Webhook-Signature` of a shop of ' +
      'your own: HMAC-SHA256 of the body, in base64 or hex). The post is written down, answered, and ' +
      'worked on after that.',
    content: {
      'application/json': {
        schema: { type: 'object', description: 'As the platform sends it.' },
        example: { id: 1042, billing: { first_name: 'Ada', phone: '+14155550123' } },
      },
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          description: 'The ping of WooCommerce at activation.',
          properties: { webhook_id: { type: 'integer' } },
        },
        example: { webhook_id: 7 },
      },
    },
    answers: {
      200: {
        description: 'The post is written down.',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['success'],
              properties: { success: { type: 'boolean', const: true } },
            },
            example: { success: true },
          },
        },
      },
      400: errorAnswer(
        'The body is compressed or too long.',
        errorBody('The body must not be compressed.'),
        [],
      ),
      401: errorAnswer(
        'The address, the signature or the authentication is not valid.',
        errorBody('This address, signature or authentication is not valid.'),
        [],
      ),
      500: errorAnswer(
        'The post could not be written down. Send it again.',
        errorBody('The post could not be written down. Send it again in a moment.'),
        ['Retry-After'],
      ),
    },
  },
};
