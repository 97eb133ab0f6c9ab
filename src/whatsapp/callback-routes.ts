import type { FastifyInstance } from 'fastify';
import { ApiError, badRequest, notFound } from '../errors.ts';
import { isSameSecret } from '../platform/crypto.ts';
import type { BodyBudget } from '../platform/http/body-budget.ts';
import { boundBodies } from '../platform/http/bound-bodies.ts';
import { hasMoreValues } from '../platform/http/count-values.ts';
import { createKeyedSemaphore } from '../platform/keyed-semaphore.ts';
import { throttle } from '../platform/throttle.ts';
import { type CallbackReport, readCallback } from './read-callback.ts';
import { isSignedBy } from './signature.ts';

/** Whose address it is, and what is needed to check who calls. */
export type CallbackKeys = { tenantId: number; appSecret: string; verifyToken: string };

/** The network's posts of one update are far shorter. */
const longBytes = 32 * 1024;

/** Up to 1,000 updates and 3 MB come in one post; anything longer is not the network's. */
const mostBytes = 4 * 1024 * 1024;
/** Far more than those updates have. A tenant signs what it likes, and reading these takes long. */
const mostValues = 100_000;

/**
 * The addresses that the network calls back, one for each connected number:
 * `GET` answers the verification, `POST` takes signed reports. A post is answered 200 only after
 * `onReport` has made it durable; until then the network sends it again.
 *
 * @param find the number behind an address, or undefined
 * @param onReport stores what was reported; called only with a right signature
 * @param bodyBudget what posts may hold until their signature is checked
 */
export function callbackRoutes<Connected extends CallbackKeys>(
  app: FastifyInstance,
  find: (callbackId: string) => Promise<Connected | undefined>,
  onReport: (number: Connected, report: CallbackReport) => Promise<void>,
  bodyBudget: BodyBudget,
): void {
  const longPosts = createKeyedSemaphore(1);

  /**
   * Long posts of a tenant are read one at a time, with as long a pause after each: a tenant signs what it
   * likes, and reading megabytes without a pause would delay everybody else's requests.
   */
  function pacedByLength<Result>(
    { tenantId }: Connected,
    body: Buffer,
    work: () => Promise<Result>,
  ) {
    return body.length > longBytes
      ? longPosts.withPermit(String(tenantId), () => throttle(work))
      : work();
  }

  app.register(async (callbacks) => {
    callbacks.removeAllContentTypeParsers();
    const read = boundBodies(callbacks, {
      budget: bodyBudget,
      maxBytes: mostBytes,
      isExpected: async ({ params }) =>
        (await find((params as { callbackId: string }).callbackId)) !== undefined,
    });
    callbacks.addContentTypeParser('*', read);

    callbacks.get<{ Params: { callbackId: string }; Querystring: Record<string, unknown> }>(
      '/whatsapp/callbacks/:callbackId',
      { schema: { hide: true } },
      async (request, reply) => {
        const number = await find(request.params.callbackId);
        if (!number) throw notFound();
        const query = request.query;
        const token = query['hub.verify_token'];
        const isRight = typeof token === 'string' && isSameSecret(token, number.verifyToken);
        if (query['hub.mode'] !== 'subscribe' || !isRight) {
          throw new ApiError('forbidden', { message: 'The verify token is not the one expected.' });
        }
        const challenge = query['hub.challenge'] ?? '';
        if (typeof challenge !== 'string') throw badRequest('hub.challenge must be sent once.');
        return reply.type('text/plain').send(challenge);
      },
    );

    callbacks.post<{ Params: { callbackId: string } }>(
      '/whatsapp/callbacks/:callbackId',
      { schema: { hide: true } },
      async (request) => {
        const number = await find(request.params.callbackId);
        if (!number) throw notFound();
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const signature = request.headers['x-hub-signature-256'];
        if (!isSignedBy(number.appSecret, body, String(signature ?? ''))) {
          throw new ApiError('unauthorized', { message: 'The signature is missing or wrong.' });
        }
        await pacedByLength(number, body, async () => onReport(number, readCallback(parse(body))));
        return { success: true };
      },
    );
  });
}

function parse(body: Buffer): unknown {
  if (hasMoreValues(body, mostValues)) throw badRequest('The body has too many values.');
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw badRequest('The body is not valid JSON.', error);
  }
}
