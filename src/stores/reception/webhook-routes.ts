import type { FastifyInstance } from 'fastify';
import { badRequest } from '../../errors.ts';
import { boundBodies } from '../../platform/http/bound-bodies.ts';
import type { PostReceiver } from './receive-post.ts';

/** Orders with hundreds of lines stay below half of this. */
const mostBytes = 2 * 1024 * 1024;
const mostBytesTogether = 256 * 1024 * 1024;

/**
 * The addresses that online stores post to (spec, section 6.2), outside `/api/{tenant}`: the store
 * shows who it is by its signature and authentication. A post is answered 200 only after it is
 * written down.
 */
export function storeWebhookRoutes(app: FastifyInstance, receiver: PostReceiver): void {
  app.register(async (webhooks) => {
    webhooks.removeAllContentTypeParsers();
    webhooks.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: mostBytes },
      async (_request: unknown, body: Buffer) => body,
    );
    webhooks.addHook('onRequest', async (request, reply) => {
      // No store compresses; what claims to be is turned away before a byte of it is kept.
      const encoding = request.headers['content-encoding'];
      if (encoding === undefined || encoding === 'identity') return;
      reply.header('connection', 'close');
      throw badRequest('The body must not be compressed.');
    });
    webhooks.addHook('onRequest', boundBodies({ longest: mostBytes, together: mostBytesTogether }));
    webhooks.addHook('onClose', () => receiver.flushRefusals());

    webhooks.post<{ Params: { webhookId: string } }>(
      '/api/webhooks/:webhookId',
      async (request) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        await receiver.receivePost(request.params.webhookId, { headers: request.headers, body });
        return { success: true };
      },
    );
  });
}
