import type { SendOfRun } from '../../idempotency/answer-once.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { neverReported, outcomeUnknown, reportedFailure } from './send-outcome.ts';
import { findMessageOfRun } from './send-queries.ts';

/**
 * How long a request with an Idempotency-Key is asked to come again because a callback may still tell what
 * became of its message. Callbacks come within seconds, but the network promises no time.
 */
const callbackWaitMinutes = 5;
const retryAfterSeconds = 5;

/** Finds what came of the message that a run of an idempotent request wrote down. */
export function createSendFinder({ db, clock }: { db: Database; clock: Clock }) {
  return async function findSend(tenantId: number, runId: number): Promise<SendOfRun> {
    const message = await findMessageOfRun(db, tenantId, runId, clock.offsetMs);
    if (!message) return { outcome: 'none' };
    const { id, network_id: messageId, phone, status, error } = message;
    if (messageId === null) {
      if (status === 'failed') return { outcome: 'refused' };
      const leftMs = callbackWaitMinutes * 60_000 - message.age_ms;
      return {
        outcome: 'unknown',
        answer: leftMs > 0 ? notReportedYet(id, leftMs) : neverReported(id, callbackWaitMinutes),
      };
    }
    // The first thing that was heard of it. Otherwise the request was answered as sent, or would have been.
    if (status === 'failed' && message.sent_at === null && error) {
      return { outcome: 'failed', answer: reportedFailure(error, message.kind) };
    }
    return { outcome: 'sent', id, messageId, phone };
  };
}

function notReportedYet(id: number, leftMs: number) {
  const seconds = Math.min(retryAfterSeconds, leftMs / 1_000);
  return outcomeUnknown({ id, isKeyed: true, retryAfterSeconds: seconds });
}
