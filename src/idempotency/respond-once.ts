import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { createKeyedSemaphore } from '../platform/concurrency/keyed-semaphore.ts';
import type { Database, Db } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import type { Log } from '../platform/log.ts';
import type { Vault } from '../platform/secrets/crypto.ts';
import { type ClaimedAttempt, createAttemptClaimer } from './claim-attempt.ts';
import type { StoredError, StoredResponse } from './claim-queries.ts';
import { isDryRun } from './is-dry-run.ts';
import { type Attempt, endAttempt, isMessageGone, releaseKey, startNewAttempt } from './queries.ts';
import { createFingerprints, readKey } from './read-key.ts';
import {
  bodyOfEarlier,
  endOfRefused,
  messageGone,
  type Sent,
  storedAsError,
  storedError,
  withoutOtp,
} from './stored-response.ts';

/**
 * The outcome of the message that an attempt stored.
 * - none: the attempt stored no message
 * - refused: nothing was sent, so it may be sent again
 * - sent: the network accepted the message, whatever happened to it later
 * - failed: the network accepted the message and reported that it failed; `error` says why
 * - unknown: the message may have been sent; `error` says whether to retry
 */
export type SendOfAttempt =
  | { outcome: 'none' | 'refused' }
  | { outcome: 'failed' | 'unknown'; error: ApiError }
  | Sent;

/**
 * Statements of one tenant that store or look up its attempts at a time. Sends have no other limit of
 * connections, because their own statements are batched.
 */
const maxStatements = 3;

/**
 * Creates a wrapper for the handler of a POST: for a day, requests with the same Idempotency-Key
 * have one effect and get one response. A success is stored, and so is a refusal by the network.
 * Any other failure had no effect: requests that waited for it share it, and the next request is a
 * new attempt.
 *
 * A crash between effect and response is safe: a route commits what it creates in one transaction
 * with the response, and a message stores the id of its attempt.
 *
 * @param findSend finds the message of an earlier attempt
 * @param count counts a replayed request against its token's minute
 */
export function createRespondOnce({
  db,
  log,
  vault,
  findSend,
  count,
}: {
  db: Database;
  log: Log;
  vault: Vault;
  findSend: (tenantId: number, attemptId: number) => Promise<SendOfAttempt>;
  count: (request: FastifyRequest) => Promise<void>;
}) {
  const claimAttempt = createAttemptClaimer({ db, log });
  const { withPermit } = createKeyedSemaphore<number>(maxStatements);
  const fingerprints = createFingerprints(vault.deriveAll('idempotency'));

  return function respondOnce(handler: RouteHandlerMethod): RouteHandlerMethod {
    return async function (request, reply) {
      const key = readKey(request);
      const work = () => handler.call(this, request, reply);
      // A dry run has no effect, so the key stays free for the send itself.
      if (key === undefined || isDryRun(request)) return work();

      const { tenantId, tokenId } = request.caller;
      const claim = await claimAttempt({ tenantId, tokenId, key }, fingerprints(request));
      if ('response' in claim) return replay(request, reply, claim.response);
      const { attempt } = claim;
      try {
        request.attemptId = attempt.attemptId;
        return request.routeOptions.config.sends
          ? await send(request, reply, attempt, work)
          : await create(request, attempt, work);
      } finally {
        attempt.stop();
      }
    };
  };

  async function replay(request: FastifyRequest, reply: FastifyReply, response: StoredResponse) {
    // Must come first: a request over the minute's limit is refused, so it is not a replay.
    await count(request);
    reply.header('idempotency-replayed', 'true');
    if ('kind' in response) throw storedAsError(response);
    return response.body;
  }

  /** Commits effect and response together, so a retry after a crash finds both or neither. */
  async function create(request: FastifyRequest, attempt: ClaimedAttempt, work: () => unknown) {
    try {
      return await db.transaction(async (tx) => {
        request.db = asDatabase(tx);
        const body = await work();
        const ended = await endAttempt(tx, attempt, { body }, 'final');
        if (!ended) throw new ApiError('server_error', { retryAfterSeconds: 1 });
        return body;
      });
    } catch (error) {
      await settle(attempt, () => endWithoutEffect(attempt, storedError(error, request)));
      throw error;
    } finally {
      request.db = db;
    }
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    attempt: ClaimedAttempt,
    work: () => unknown,
  ): Promise<unknown> {
    if (attempt.resumed) {
      const earlier = await outcomeOf(attempt);
      if (earlier.outcome === 'sent') return replaySent(request, reply, attempt, earlier);
      if ('error' in earlier) return replayFailure(request, reply, attempt, earlier);
      if (earlier.outcome === 'refused') await replaceAttempt(request, attempt);
    }
    try {
      const body = await work();
      const stored = { body: withoutOtp(body) };
      await settle(attempt, () => endAttempt(limited(attempt.tenantId), attempt, stored, 'final'));
      return body;
    } catch (error) {
      await settle(attempt, () => endFailedSend(attempt, storedError(error, request)));
      throw error;
    }
  }

  async function replaySent(
    request: FastifyRequest,
    reply: FastifyReply,
    attempt: Attempt,
    earlier: Sent,
  ): Promise<unknown> {
    await request.routeOptions.config.whenFoundSent?.(request);
    const body = bodyOfEarlier(request, earlier);
    await settle(attempt, () => endAttempt(limited(attempt.tenantId), attempt, { body }, 'final'));
    return replay(request, reply, { body });
  }

  /** Leaves an unknown outcome open: a callback can still settle it for the next request. */
  async function replayFailure(
    request: FastifyRequest,
    reply: FastifyReply,
    attempt: Attempt,
    { outcome, error }: Extract<SendOfAttempt, { error: ApiError }>,
  ): Promise<unknown> {
    const stored = storedError(error, request);
    const end = outcome === 'failed' ? 'final' : 'open';
    await settle(attempt, () => endAttempt(limited(attempt.tenantId), attempt, stored, end));
    return replay(request, reply, stored);
  }

  async function outcomeOf(attempt: Attempt): Promise<SendOfAttempt> {
    const { tenantId, attemptId } = attempt;
    const send = await withPermit(tenantId, () => findSend(tenantId, attemptId));
    // This must come second, because the message can be deleted between the two queries.
    if (send.outcome === 'none' && (await isMessageGone(limited(tenantId), attempt))) {
      return { outcome: 'unknown', error: messageGone() };
    }
    return send;
  }

  /**
   * Continues as a new attempt: the message of the old one was refused, so it may be sent again.
   */
  async function replaceAttempt(request: FastifyRequest, attempt: Attempt): Promise<void> {
    const attemptId = await startNewAttempt(limited(attempt.tenantId), attempt);
    if (attemptId === undefined) throw new ApiError('server_error', { retryAfterSeconds: 1 });
    attempt.attemptId = attemptId;
    request.attemptId = attemptId;
  }

  async function endFailedSend(attempt: Attempt, stored: StoredError): Promise<void> {
    const { outcome } = await outcomeOf(attempt);
    if (outcome === 'none') return endWithoutEffect(attempt, stored);
    const end = outcome === 'refused' ? endOfRefused(stored) : 'open';
    await endAttempt(limited(attempt.tenantId), attempt, stored, end);
  }

  async function endWithoutEffect(attempt: Attempt, stored: StoredError): Promise<void> {
    // There can be many requests over a limit, so they leave no row.
    if (stored.kind === 'rate_limited') return releaseKey(limited(attempt.tenantId), attempt);
    await endAttempt(limited(attempt.tenantId), attempt, stored, 'no effect');
  }

  /**
   * Ends an attempt whose outcome is decided: if that cannot be stored, the response stays the
   * same.
   */
  async function settle({ attemptId }: Attempt, end: () => Promise<unknown>): Promise<void> {
    await end().catch((err) => log.warn({ err, attemptId }, 'could not end an idempotent request'));
  }

  /** The database for single statements of one tenant. */
  function limited(tenantId: number): Db {
    return { query: (statement) => withPermit(tenantId, () => db.query(statement)) };
  }

  function asDatabase(tx: Db): Database {
    return { ...db, query: tx.query.bind(tx), batched: tx, transaction: (work) => work(tx) };
  }
}
