import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { errorResponse, headersOf } from '../../api-description/responses.ts';
import { errorBody } from '../../platform/errors/send-error.ts';
import { doc } from '../../platform/http/field-schema.ts';
import { platforms } from '../platforms/platforms.ts';

const signatureHeaders = Object.values(platforms)
  .map(({ title, signatureHeader }) => `${title}: \`${signatureHeader}\``)
  .join(', ');

/**
 * The webhook of a store in the API description. Its bodies are described, not validated: a store's
 * signature is over the raw bytes.
 */
export const storeWebhookSchema: FastifySchema = {
  operationId: 'receiveStoreEvent',
  tags: ['Store webhooks'],
  summary: 'Receive an event from an online store',
  description:
    'Store platforms post their events here, without an API token. Instead, the signature and the ' +
    'authentication of the store are checked. The signature is the HMAC-SHA256 of the body in ' +
    `base64 (${signatureHeaders}); a custom store can also send it in hex. The event is stored ` +
    'before the response and processed after it.',
  pathParameters: {
    webhook_id: Type.String(
      doc('Last part of the webhook address that the dashboard shows.', 'k3v9q2m8r7t1x5z0'),
    ),
  },
  operation: {
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', ...doc('The event as the platform sends it.') },
          example: { id: 1042, billing: { first_name: 'Ada', phone: '+14155550123' } },
        },
        'application/x-www-form-urlencoded': {
          schema: Type.Object(
            {
              webhook_id: Type.Optional(
                Type.Integer({
                  format: 'int64',
                  ...doc('Id of the webhook in the shop. Ignored.', 7),
                }),
              ),
            },
            doc('The ping that WooCommerce sends when a webhook is activated.'),
          ),
          example: { webhook_id: 7 },
        },
      },
    },
    responses: {
      200: {
        description: 'The event is stored.',
        headers: headersOf([]),
        content: {
          'application/json': {
            schema: Type.Object({
              success: Type.Unsafe({
                type: 'boolean',
                enum: [true],
                ...doc('The event is stored.'),
              }),
            }),
            example: { success: true },
          },
        },
      },
      400: errorResponse(
        'The body is compressed, too long, or arrives too slowly.',
        errorBody('The body must not be compressed.', 'bad_request'),
        [],
      ),
      401: errorResponse(
        'The address, the signature or the authentication is not valid.',
        errorBody('This address, signature or authentication is not valid.', 'unauthorized'),
        [],
      ),
      429: errorResponse(
        'Too many long bodies are arriving from this address at once. Retry.',
        errorBody(
          'Too many long bodies are arriving from this address. Try again in a moment.',
          'rate_limited',
        ),
        ['Retry-After'],
      ),
      500: errorResponse(
        'The event could not be stored. Retry.',
        errorBody('The post could not be stored. Retry in a few seconds.', 'internal_error'),
        ['Retry-After'],
      ),
    },
  },
};
