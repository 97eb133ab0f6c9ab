import { errorBody } from '../../errors.ts';
import { errorAnswer } from '../answers.ts';
import type { WordList } from './words.ts';

export const stores: WordList = {
  'POST /api/webhooks/{webhook_id}': {
    operationId: 'receiveStoreEvent',
    tag: 'Store webhooks',
    summary: 'Receive a post of an online store',
    description:
      'Store platforms post their events here. There is no API token: a post is authenticated by the ' +
      'signature and the authentication that are set for the store, as its platform sends them ' +
      '(`X-WC-Webhook-Signature`, `X-Shopify-Hmac-Sha256`, or `X-Webhook-Signature` for a custom ' +
      'store: HMAC-SHA256 of the body, in base64 or hex). The post is stored first and processed ' +
      'after the response.',
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
        description: 'The post is stored.',
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
        'The body is compressed, is too long, or arrives too slowly.',
        errorBody('The body must not be compressed.'),
        [],
      ),
      401: errorAnswer(
        'The address, the signature or the authentication is not valid.',
        errorBody('This address, signature or authentication is not valid.'),
        [],
      ),
      429: errorAnswer(
        'Too many long posts are arriving from this address at once. Send it again.',
        errorBody('Too many long bodies are arriving from this address. Try again in a moment.'),
        ['Retry-After'],
      ),
      500: errorAnswer(
        'The post could not be stored. Send it again.',
        errorBody('The post could not be stored. Retry in a few seconds.'),
        ['Retry-After'],
      ),
    },
  },
};
