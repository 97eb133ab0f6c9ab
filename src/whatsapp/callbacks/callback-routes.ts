import type { FastifyInstance } from 'fastify';
import { createKeyedSemaphore } from '../../platform/concurrency/keyed-semaphore.ts';
import { throttle } from '../../platform/concurrency/throttle.ts';
import { ApiError, badRequest, notFound } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import { notJson } from '../../platform/errors/send-error.ts';
import { boundBodies } from '../../platform/http/bodies/bound-bodies.ts';
import type { ByteBudget } from '../../platform/http/bodies/byte-budget.ts';
import { hasMoreValues } from '../../platform/http/bodies/count-values.ts';
import { isSameSecret } from '../../platform/secrets/crypto.ts';
import { type CallbackReport, readCallback } from './read-callback.ts';
import { isSignedBy } from './signature.ts';

/** The tenant of a callback URL, and the secrets that verify a call. */
export type CallbackKeys = { tenantId: number; appSecret: string; verifyToken: string };

/** A callback with a single update is much shorter. */
const longBytes = 32 * 1024;

/** The network sends up to 1,000 updates and 3 MB in one callback. */
const maxBytes = 4 * 1024 * 1024;
/**
 * 10,000 messages of the app's history, the most that comes in 3 MB, have 110,000 values. A tenant can sign any body,
 * and reading 300,000 values takes up to 0.3 s.
 */
const maxValues = 300_000;

/**
 * Registers the callback URLs of the network, one for each connected number: `GET` responds to the
 * verification, `POST` receives signed reports. The response is 200 only after `onReport` has stored
 * the report. After any other response, the network resends it.
 *
 * @param find finds the number of a callback URL
 * @param onReport stores a report; called only if the signature is valid
 * @param onWrongSignature is called before the response to a report whose signature is missing or wrong
 * @param bodyBudget limits the memory for bodies whose signature has not been checked yet
 */
export function callbackRoutes<Connected extends CallbackKeys>(
  app: FastifyInstance,
  {
    find,
    onReport,
    onWrongSignature,
    bodyBudget,
  }: {
    find: (callbackId: string) => Promise<Connected | undefined>;
    onReport: (number: Connected, report: CallbackReport) => Promise<void>;
    onWrongSignature: (number: Connected) => Promise<void>;
    bodyBudget: ByteBudget;
  },
): void {
  const longPosts = createKeyedSemaphore(1);

  /**
   * Reads long posts of a tenant one at a time at a 50 % duty cycle: a tenant can sign any body,
   * and reading megabytes without a pause would delay all other requests.
   */
  function throttleLong<Result>(
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
      maxBytes,
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
        const isVerified = typeof token === 'string' && isSameSecret(token, number.verifyToken);
        if (query['hub.mode'] !== 'subscribe' || !isVerified) {
          throw new ApiError('forbidden', {
            message: fault('wrong_verify_token', 'The verify token is not the one expected.'),
          });
        }
        const challenge = query['hub.challenge'] ?? '';
        if (typeof challenge !== 'string')
          throw badRequest(fault('challenge_repeated', 'hub.challenge must be sent once.'));
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
          await onWrongSignature(number);
          throw new ApiError('unauthorized', {
            message: fault('wrong_signature', 'The signature is missing or wrong.'),
          });
        }
        await throttleLong(number, body, async () => onReport(number, readCallback(parse(body))));
        return { success: true };
      },
    );
  });
}

function parse(body: Buffer): unknown {
  if (hasMoreValues(body, maxValues))
    throw badRequest(fault('report_too_many_values', 'The body has too many values.'));
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw badRequest(notJson, error);
  }
}
