import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, invalid } from '../../errors.ts';
import {
  messageQuotaUsedUp,
  type RequestCounter,
  refuseOverMinute,
} from '../../limits/count-request.ts';
import type { RequestCount } from '../../limits/counted-minute.ts';
import { plans } from '../../limits/plans.ts';
import type { ConnectedNumber, NumberFinder } from '../../numbers/find-number.ts';
import { forgetProblem, reportProblem } from '../../numbers/report-problem.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Db } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import { retryDeadlock } from '../../platform/retry-deadlock.ts';
import type { Caller } from '../../tenants/find-caller.ts';
import type { NetworkClient, OutgoingContent, SendOutcome } from '../../whatsapp/client.ts';
import { type GraphError, meaningOf, refusalWords } from '../../whatsapp/errors.ts';
import { type Completion, completeWithin } from './send-queries.ts';
import { createSendWriter } from './write-sends.ts';

/** One message to one phone: what goes over the wire, and what we keep of it. */
export type Outgoing = {
  phone: string;
  kind: OutgoingContent['type'];
  content: OutgoingContent;
  /** Kept in the database and shown in the conversation; holds no one-time password. */
  kept: object;
  /** Runs in the transaction that completes the message, once the network has accepted it. */
  alongside?: (tx: Db) => Promise<void>;
};

/** Where a send is accounted; an API request is one. */
export type Account = {
  /**
   * Set to the request's place in its minute and day, whatever happens after. One that was counted
   * before is not counted again, but takes its place in the day.
   */
  counted: RequestCount | undefined;
  /** The run of a request with an Idempotency-Key. */
  runId: number | null;
};

export type Sent = { messageId: string; phone: string; status: 'sent' };

export type MessageSender = ReturnType<typeof createMessageSender>;

/**
 * Sends messages so that none is lost and none goes out twice:
 *
 * 1. the send is counted against the token's minute and day and written down (`accepting`);
 * 2. the network is called; only where it refuses for its rate, so that nothing was sent, it is called
 *    once more;
 * 3. the outcome is written down (`sent`, `failed`, or `unknown` when the answer was lost);
 * 4. only then the caller is answered.
 *
 * Steps 1 and 3 go together with those of all other sends of the moment, as one statement.
 */
export function createMessageSender(services: {
  db: Database;
  clock: Clock;
  log: Log;
  network: NetworkClient;
  numbers: NumberFinder;
  countRequest: RequestCounter;
}) {
  const { db, clock, log, network, numbers, countRequest } = services;
  const { writeDown, complete } = createSendWriter(services);
  /**
   * Tokens whose last send was over a limit. Their next one is counted before it takes a turn, so that a
   * program that goes on and on takes none from other tokens of the number; the count decides.
   */
  const spent = new Set<number>();

  /**
   * @throws ApiError 422 when the network refuses it, 429 over a limit, 500 when the network is at fault
   */
  return async function sendMessage(
    caller: Caller,
    outgoing: Outgoing,
    account: Account,
  ): Promise<Sent> {
    const number = await numbers.sendingNumber(caller.tenantId);
    if (!number) throw noNumber();
    await takeTurn(caller, number, outgoing.phone, account);
    const plan = plans[caller.plan];
    const written = await writeDown({
      tenantId: caller.tenantId,
      tokenId: caller.tokenId,
      requestsPerMinute: plan.requestsPerMinute,
      messagesPerDay: plan.messagesPerDay,
      numberId: number.id,
      phone: outgoing.phone,
      kind: outgoing.kind,
      content: outgoing.kept,
      runId: account.runId,
      counted: account.counted,
    });
    account.counted = written;
    if (written.id === null) {
      network.pacer.giveBack(number, outgoing.phone);
      spent.add(caller.tokenId);
      refuseOverMinute(caller, written);
      throw messageQuotaUsedUp(caller, written);
    }

    const reference = `${caller.tenantId}.${written.id}`;
    const sent = await network.sendMessage(number, outgoing.phone, outgoing.content, reference);
    const { tenantId } = caller;
    const completion = completionOf(sent);
    const done = { tenantId, id: written.id, ...completion };
    try {
      if (outgoing.alongside && sent.outcome === 'accepted') {
        await completeAlongside(done, outgoing.alongside);
      } else {
        await complete(done);
      }
    } catch (cause) {
      // If it went out, we could not keep that: a callback of the network will say so.
      throw completion.refunded ? cause : maybeSent(cause);
    }
    if (completion.refunded) account.counted = { ...written, day_used: written.day_used - 1 };
    if (sent.outcome !== 'accepted') throw await refusal(sent, number, outgoing.kind);
    await forgetProblem({ db, log }, number);
    return { messageId: sent.networkId, phone: outgoing.phone, status: 'sent' };
  };

  /** @throws ApiError 429 over a limit of the token, and when the turn would not come soon */
  async function takeTurn(
    caller: Caller,
    number: ConnectedNumber,
    phone: string,
    account: Account,
  ): Promise<void> {
    if (spent.has(caller.tokenId)) await refuseSpent(caller, account);
    const turn = network.pacer.take(number, phone, longestWaitMs);
    if ('waitMs' in turn) {
      if (turn.waitMs === 0) return;
      const turnComes = sleep(turn.waitMs);
      // Counted as it comes: else those that come later and are refused at once use up its minute.
      await refuseSpent(caller, account).catch((over) => {
        network.pacer.giveBack(number, phone);
        throw over;
      });
      return turnComes;
    }
    const { minute_used: used, minute_reset_seconds: reset } = await refuseSpent(caller, account);
    const isLast = used >= plans[caller.plan].requestsPerMinute;
    throw tooFast(Math.max(turn.refusedForSeconds, isLast ? reset : 0));
  }

  /**
   * Counts the request before it is written down.
   *
   * @throws ApiError 429 when the minute or the day of the token is used up
   */
  async function refuseSpent(caller: Caller, account: Account): Promise<RequestCount> {
    const { messagesPerDay } = plans[caller.plan];
    try {
      const counted = await countRequest(caller, account);
      if (messagesPerDay !== null && counted.day_used >= messagesPerDay) {
        throw messageQuotaUsedUp(caller, counted);
      }
      spent.delete(caller.tokenId);
      return counted;
    } catch (over) {
      spent.add(caller.tokenId);
      throw over;
    }
  }

  /** What else comes of the message goes first: it takes its locks in the order others do. */
  async function completeAlongside(done: Completion, alongside: (tx: Db) => Promise<void>) {
    const work = async (tx: Db) => {
      await alongside(tx);
      await completeWithin(tx, done, clock.offsetMs);
    };
    await retryDeadlock(() => db.transaction(work));
  }

  async function refusal(
    sent: Exclude<SendOutcome, { outcome: 'accepted' }>,
    number: ConnectedNumber,
    kind: Outgoing['kind'],
  ): Promise<ApiError> {
    if (sent.outcome === 'refused') {
      if (meaningOf(sent.error).blame === 'number') {
        await reportProblem({ db, log }, number, `${refusalWords(sent.error)}.`);
      }
      return refusedByNetwork(sent.error, kind);
    }
    if (sent.outcome === 'unreachable') {
      return new ApiError('server_error', {
        message: 'The network cannot be reached; nothing was sent. Try again in a moment.',
        retryAfterSeconds: 5,
        cause: sent.cause,
      });
    }
    return maybeSent(sent.cause);
  }
}

/** 500 of which nobody knows whether the message went out, so that it must not blindly go again. */
function maybeSent(cause: unknown): ApiError {
  return new ApiError('server_error', {
    message:
      'It is not known how the send ended, so the message may have been sent. Look before you send it again.',
    retryAfterSeconds: 60,
    cause,
  });
}

/** What is written down of how a send ended. */
export function completionOf(sent: SendOutcome): Omit<Completion, 'tenantId' | 'id'> {
  switch (sent.outcome) {
    case 'accepted':
      return { status: 'sent', networkId: sent.networkId, error: null, refunded: false };
    case 'refused': {
      const { code, title, details } = sent.error;
      const error = { code, title, details: details ?? null };
      return { status: 'failed', networkId: null, error, refunded: true };
    }
    case 'unreachable': {
      const error = { code: null, title: 'The network could not be reached', details: null };
      return { status: 'failed', networkId: null, error, refunded: true };
    }
    case 'unknown':
      return { status: 'unknown', networkId: null, error: null, refunded: false };
  }
}

/** A send waits so long for its turn at the pace of its number; a burst beyond that is refused. */
const longestWaitMs = 2_000;

/** Nothing is written down or counted against the day. */
function tooFast(seconds: number): ApiError {
  return new ApiError('rate_limited', {
    message: `The number sends as fast as the network takes of it, in all or to this phone. Try again in ${seconds} s.`,
    retryAfterSeconds: seconds,
  });
}

/** A refusal of the network as an answer of the API: 422 on the field it names, else 422, 429 or 500. */
function refusedByNetwork(error: GraphError, kind: Outgoing['kind']): ApiError {
  const { blame, retryAfterSeconds } = meaningOf(error);
  const words = refusalWords(error);
  if (typeof blame === 'object') return invalid({ [fieldOf(blame, kind)]: [words] }, error);
  if (blame === 'rate') {
    return new ApiError('rate_limited', { message: `${words}.`, retryAfterSeconds, cause: error });
  }
  if (blame === 'request') return new ApiError('invalid', { message: `${words}.`, cause: error });
  return new ApiError('server_error', {
    message: `${words}. ${blame === 'number' ? "See the number's settings." : 'Nothing was sent.'}`,
    retryAfterSeconds: retryAfterSeconds ?? 60,
    cause: error,
  });
}

/** The field that the network blames, by its name in a request for that kind of message. */
export function fieldOf({ field }: { field: string }, kind: Outgoing['kind']): string {
  return field === 'media_url' && kind === 'template' ? 'header_media_url' : field;
}

/** 422: there is nothing to send from. */
export function noNumber(): ApiError {
  return new ApiError('invalid', {
    message:
      'This tenant has no WhatsApp number. Connect one in the dashboard or with `parley number connect`.',
    passing: true,
  });
}
