import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Vault } from '../platform/crypto.ts';
import type { Database, Db } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import { createRunClaimer, type Run } from './claim-run.ts';
import {
  endRun,
  forgetRun,
  isMessageGone,
  type KeptAnswer,
  type KeptError,
  type RunEnd,
  redrawRun,
} from './queries.ts';
import { createFingerprint, readKey } from './read-key.ts';

/**
 * What came of the message that a run wrote down.
 * - none: it wrote none
 * - refused: nothing was sent, so it may be sent again
 * - sent: the network took it, whatever became of it later
 * - failed: the network took it and reported that it failed; `answer` says why
 * - unknown: it may have been sent; `answer` says whether to come again
 */
export type SendOfRun =
  | { outcome: 'none' | 'refused' }
  | { outcome: 'failed' | 'unknown'; answer: ApiError }
  | Sent;

type Sent = { outcome: 'sent'; id: number; messageId: string; phone: string };

/**
 * Wraps the handler of a POST, so that requests with the same Idempotency-Key have one effect and
 * one answer for a day. A success is kept, and so is a refusal of the network. Any other failure
 * had no effect: those who waited for it share it, and the next request runs anew.
 *
 * A crash between effect and answer is survived: what a route creates commits in one transaction
 * with its answer, and a message bears the run that wrote it down.
 *
 * @param findSend finds the message of an earlier run
 * @param count counts a request that ends here against its token's minute
 */
export function createAnswerOnce({
  db,
  log,
  vault,
  findSend,
  count,
}: {
  db: Database;
  log: Log;
  vault: Vault;
  findSend: (tenantId: number, runId: number) => Promise<SendOfRun>;
  count: (request: FastifyRequest) => Promise<void>;
}) {
  const claimRun = createRunClaimer({ db, log });
  const fingerprint = createFingerprint(vault.derive('idempotency'));

  return function answerOnce(handler: RouteHandlerMethod): RouteHandlerMethod {
    return async function (request, reply) {
      const key = readKey(request);
      const work = () => handler.call(this, request, reply);
      if (key === undefined) return work();

      const { tenantId, tokenId } = request.caller;
      const claim = await claimRun({ tenantId, tokenId, key }, fingerprint(request));
      if ('answer' in claim) return replay(request, reply, claim.answer);
      const { run } = claim;
      try {
        request.runId = run.runId;
        return request.routeOptions.config.sends
          ? await send(request, reply, run, work)
          : await create(request, run, work);
      } finally {
        run.stop();
      }
    };
  };

  async function replay(request: FastifyRequest, reply: FastifyReply, answer: KeptAnswer) {
    // First, for one over the minute's limit is refused and no replay.
    await count(request);
    reply.header('idempotency-replayed', 'true');
    if ('kind' in answer) throw new ApiError(answer.kind, answer);
    return answer.body;
  }

  /** Effect and answer commit together, so a retry after a crash finds both or neither. */
  async function create(request: FastifyRequest, run: Run, work: () => unknown) {
    try {
      return await db.transaction(async (tx) => {
        request.db = asDatabase(tx);
        const body = await work();
        const ours = await endRun(tx, run, { body }, 'stands');
        if (!ours) throw new ApiError('server_error', { retryAfterSeconds: 1 });
        return body;
      });
    } catch (error) {
      await settle(run, () => endWithoutEffect(run, error));
      throw error;
    } finally {
      request.db = db;
    }
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    run: Run,
    work: () => unknown,
  ): Promise<unknown> {
    if (run.resumed) {
      const earlier = await outcomeOf(run);
      if (earlier.outcome === 'sent') return replaySent(request, reply, run, earlier);
      if ('answer' in earlier) return replayFailure(request, reply, run, earlier);
      if (earlier.outcome === 'refused') await startAfresh(request, run);
    }
    try {
      const body = await work();
      const kept = { body: withoutOtp(body) };
      await settle(run, () => endRun(db, run, kept, 'stands'));
      return body;
    } catch (error) {
      await settle(run, () => endFailedSend(run, error));
      throw error;
    }
  }

  async function replaySent(
    request: FastifyRequest,
    reply: FastifyReply,
    run: Run,
    earlier: Sent,
  ): Promise<unknown> {
    await request.routeOptions.config.whenFoundSent?.(request);
    const body = bodyOfEarlier(request, earlier);
    await settle(run, () => endRun(db, run, { body }, 'stands'));
    return replay(request, reply, { body });
  }

  /** An unknown outcome is never kept: a callback can still settle it, and then the next request is told. */
  async function replayFailure(
    request: FastifyRequest,
    reply: FastifyReply,
    run: Run,
    { outcome, answer }: Extract<SendOfRun, { answer: ApiError }>,
  ): Promise<unknown> {
    const kept = asKept(answer);
    const end = outcome === 'failed' ? 'stands' : 'open';
    await settle(run, () => endRun(db, run, kept, end));
    return replay(request, reply, kept);
  }

  async function outcomeOf(run: Run): Promise<SendOfRun> {
    const found = await findSend(run.tenantId, run.runId);
    // Asked after it, because the message can be deleted between the two.
    if (found.outcome === 'none' && (await isMessageGone(db, run))) {
      return { outcome: 'unknown', answer: messageGone() };
    }
    return found;
  }

  /** The message was refused, so it may be sent again: as another run, for a run has one message. */
  async function startAfresh(request: FastifyRequest, run: Run): Promise<void> {
    const runId = await redrawRun(db, run);
    if (runId === undefined) throw new ApiError('server_error', { retryAfterSeconds: 1 });
    run.runId = runId;
    request.runId = runId;
  }

  async function endFailedSend(run: Run, error: unknown): Promise<void> {
    const { outcome } = await outcomeOf(run);
    if (outcome === 'none') return endWithoutEffect(run, error);
    const answer = asKept(error);
    const end = outcome === 'refused' ? endOfRefused(answer) : 'open';
    await endRun(db, run, answer, end);
  }

  async function endWithoutEffect(run: Run, error: unknown): Promise<void> {
    const answer = asKept(error);
    // Requests over a limit are many; they leave nothing behind.
    if (answer.kind === 'rate_limited') return forgetRun(db, run);
    await endRun(db, run, answer, 'without effect');
  }

  /** What came of the request is decided; that it cannot be noted now changes no answer. */
  async function settle(run: Run, end: () => Promise<unknown>): Promise<void> {
    await end().catch((err) => log.warn({ err, runId: run.runId }, 'end an idempotent request'));
  }

  function asDatabase(tx: Db): Database {
    return { ...db, query: tx.query.bind(tx), batched: tx, transaction: (work) => work(tx) };
  }
}

/** The network refuses a message for good, or had its troubles just then. */
function endOfRefused({ kind }: KeptError): RunEnd {
  return kind === 'invalid' ? 'stands' : 'refused';
}

function asKept(error: unknown): KeptError {
  const known = error instanceof ApiError ? error : new ApiError('server_error');
  const { kind, message, errors, headers, publicCode, data } = known;
  return { kind, message, errors, headers, publicCode, data };
}

const otpNotKept = 'The one-time password was in the first response only.';

type SendBody = { message: string; data: { otp?: string } };

/** A one-time password is never stored; a replay answers without it and says so. */
function withoutOtp(body: unknown): unknown {
  const { message, data } = body as SendBody;
  if (data.otp === undefined) return body;
  const { otp: _, ...rest } = data;
  return { ...(body as SendBody), message: `${message} ${otpNotKept}`, data: rest };
}

function bodyOfEarlier(request: FastifyRequest, { id, messageId, phone }: Sent) {
  const hadOtp = (request.body as { auto_generate_otp?: unknown }).auto_generate_otp === true;
  const accepted = 'The network accepted the message.';
  return {
    success: true,
    message: hadOtp ? `${accepted} ${otpNotKept}` : accepted,
    data: { message_id: messageId, phone_number: phone, status: 'sent', id },
  };
}

/** Without `data`: there is nothing left to look up. */
function messageGone(): ApiError {
  return new ApiError('server_error', {
    message:
      'The message was deleted with its contact, and may have been sent before. This Idempotency-Key never sends it again; to send it again, use a new key.',
    publicCode: 'outcome_unknown',
  });
}
