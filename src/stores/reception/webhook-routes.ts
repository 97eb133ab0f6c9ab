import type { FastifyInstance } from 'fastify';
import { badRequest } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import { boundBodies } from '../../platform/http/bodies/bound-bodies.ts';
import type { ByteBudget } from '../../platform/http/bodies/byte-budget.ts';
import type { PostReceiver } from './receive-post.ts';
import { storeWebhookSchema } from './webhook-schema.ts';

/** Orders with hundreds of lines are shorter than half of this. */
const maxBytes = 2 * 1024 * 1024;

/**
 * The addresses that online stores post to (docs/spec.md, section 6.2), outside `/api/{tenant}`.
 * The store proves its identity by its signature and authentication. The response is 200 only
 * after the post is stored.
 */
export function storeWebhookRoutes(
  app: FastifyInstance,
  receiver: PostReceiver,
  bodyBudget: ByteBudget,
): void {
  app.register(async (webhooks) => {
    webhooks.removeAllContentTypeParsers();
    webhooks.addHook('onRequest', async (request, reply) => {
      // No store compresses its posts. A compressed body is refused before any of it is read.
      const encoding = request.headers['content-encoding'];
      if (encoding === undefined || encoding === 'identity') return;
      reply.header('connection', 'close');
      throw badRequest(fault('body_compressed', 'The body must not be compressed.'));
    });
    const read = boundBodies(webhooks, {
      budget: bodyBudget,
      maxBytes,
      isExpected: ({ params }) => receiver.isStore((params as { webhookId: string }).webhookId),
    });
    webhooks.addContentTypeParser('*', read);
    webhooks.addHook('onClose', () => receiver.flushRefusals());

    webhooks.post<{ Params: { webhookId: string } }>(
      '/api/webhooks/:webhookId',
      { schema: storeWebhookSchema },
      async (request) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        await receiver.receivePost(request.params.webhookId, { headers: request.headers, body });
        return { success: true };
      },
    );
  });
}
