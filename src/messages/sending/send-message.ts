import {
  messageQuotaUsedUp,
  type RequestCounter,
  refuseOverMinute,
} from '../../limits/count-request.ts';
import type { RequestCount } from '../../limits/token-counts.ts';
import { createKeyedSemaphore } from '../../platform/concurrency/keyed-semaphore.ts';
import { untilConnected } from '../../platform/connections/until-connected.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { isConnectionLost } from '../../platform/database/failures/lost-connection.ts';
import { retryDeadlock } from '../../platform/database/failures/retry-deadlock.ts';
import type { Log } from '../../platform/log.ts';
import type { Tracing } from '../../platform/tracing/tracing.ts';
import type { Caller } from '../../tenants/api/find-caller.ts';
import { plans } from '../../tenants/plans.ts';
import type { NetworkClient, OutgoingContent } from '../../whatsapp/client.ts';
import { retryStateRace } from '../retry-state-race.ts';
import type { Senders } from './find-senders.ts';
import { recordNumberProblem } from './record-number-problem.ts';
import { type Completion, completionOf, errorOf, outcomeUnknown } from './send-outcome.ts';
import { sendReference } from './send-reference.ts';
import { createSendLimiter } from './wait-for-rate-limit.ts';
import { completeWithin, createSendWriter } from './write-sends.ts';

/** Concurrent `alongside` transactions per tenant, because all tenants share the connections. */
const maxAlongsideAtOnce = 3;

/** A message without its recipient, in the form that is sent and in the form that is stored. */
export type MessageContent = {
  kind: OutgoingContent['type'];
  content: OutgoingContent;
  /** The latest known category of a template. */
  category?: string;
  /** The field of the request that names the file, if it is an uploaded one. */
  fileField?: string;
  /** Stored in the database and shown in the conversation; has no one-time password. */
  storedContent: object;
};

/** One message to one phone. */
export type Outgoing = MessageContent & {
  senders: Senders;
  phone: string;
  /** The sender's own text, by which the message can be found. */
  reference?: string | null | undefined;
  /** Ends after the checks: nothing is sent or stored. */
  dryRun?: boolean | null | undefined;
  /**
   * Runs in the transaction that completes the message, once the network has accepted it. Without effect the second
   * time.
   */
  alongside?: (tx: Db) => Promise<void>;
};

/** The API request that a send belongs to. Routes pass their Fastify request. */
export type SendRequest = {
  /**
   * Set to the request's place in its minute and day, whether or not the send succeeds. A request that was
   * counted before is not counted again in its minute.
   */
  counted: RequestCount | undefined;
  /** The attempt of a request with an Idempotency-Key. */
  attemptId: number | null;
};

/** `id` is ours, `messageId` the network's. */
export type Sent = {
  id: number;
  messageId: string;
  phone: string;
  status: 'sent';
  reference: string | null;
};

/** A message that passed every check and was not sent. */
export type Checked = { phone: string; status: 'valid'; reference: string | null };

export type MessageSender = ReturnType<typeof createMessageSender>;

/**
 * Sends messages so that none is lost and none goes out twice:
 *
 * 1. The send is counted against the token's minute and day, and the message is stored. It has no row in
 *    `message_states` yet, which means `accepting`.
 * 2. The network is called. It is called once more only if it refuses because of its rate limit: then
 *    nothing was sent.
 * 3. The outcome is stored: `sent`, `failed`, or `unknown` if the response was lost.
 * 4. Only then does the caller get its response.
 *
 * Concurrent sends share the statements of steps 1 and 3. If several numbers may send the message, step 1 chooses
 * one, so only afterwards is it known whose rate limit applies.
 */
export function createMessageSender(services: {
  db: Database;
  log: Log;
  tracing: Tracing;
  network: NetworkClient;
  countRequest: RequestCounter;
}) {
  const { db, network } = services;
  const { waitForRateLimit, reserveStored, returnReservation } = createSendLimiter(services);
  const { begin, complete } = createSendWriter(services);
  const alongsideSemaphore = createKeyedSemaphore(maxAlongsideAtOnce);

  /**
   * @throws ApiError 422 if the network refuses it, 429 over a limit, 500 if the network is at fault
   */
  return async function sendMessage(
    caller: Caller,
    outgoing: Outgoing,
    request: SendRequest,
  ): Promise<Sent | Checked> {
    const { tenantId, tokenId } = caller;
    const { senders, phone, kind, fileField, storedContent, alongside } = outgoing;
    const reference = outgoing.reference || null;
    if (outgoing.dryRun) {
      await services.countRequest(caller, request);
      return { phone, status: 'valid', reference };
    }
    const only = senders.length === 1 ? senders[0] : undefined;
    if (only) await waitForRateLimit(caller, only, phone, request);
    const begun = await begin({
      tenantId,
      tokenId,
      ...plans[caller.plan],
      numberIds: senders.map(({ id }) => id) as [number, ...number[]],
      phone,
      kind,
      content: storedContent,
      reference,
      memberId: caller.memberId ?? null,
      attemptId: request.attemptId,
      counted: request.counted,
    });
    request.counted = begun;
    if (begun.id === null) {
      returnReservation(caller, only, phone);
      refuseOverMinute(caller, begun);
      throw messageQuotaUsedUp(caller, begun);
    }

    const { id, numberId } = begun;
    const number = only ?? senders.find((each) => each.id === numberId)!;
    const refused = only ? undefined : await reserveStored(number, phone);
    const sent =
      refused ?? (await network.sendMessage(number, phone, outgoing, sendReference(tenantId, id)));
    const isKeyed = request.attemptId !== null;
    const completion = { tenantId, id, ...completionOf(sent) };
    try {
      if (alongside && sent.outcome === 'accepted') await completeAlongside(completion, alongside);
      else await complete(completion);
    } catch (cause) {
      // If the network accepted the message, a callback will report it.
      throw completion.refunded ? cause : outcomeUnknown({ id, isKeyed, cause });
    }
    if (completion.refunded) request.counted = { ...begun, day_used: begun.day_used - 1 };
    await recordNumberProblem(services, number, sent);
    if (sent.outcome !== 'accepted') throw errorOf(sent, { kind, fileField, id, isKeyed });
    return { id, messageId: sent.networkId, phone, status: 'sent', reference };
  };

  /**
   * Runs `alongside` first, so that locks are taken in the same order everywhere. After a lost connection both run
   * again, because neither changes anything the second time.
   */
  async function completeAlongside(completion: Completion, alongside: (tx: Db) => Promise<void>) {
    const work = async (tx: Db) => {
      await alongside(tx);
      await completeWithin(tx, completion);
    };
    const run = () =>
      alongsideSemaphore.withPermit(String(completion.tenantId), () =>
        retryStateRace(() => db.transaction(work)),
      );
    await untilConnected(() => retryDeadlock(run), isConnectionLost);
  }
}
