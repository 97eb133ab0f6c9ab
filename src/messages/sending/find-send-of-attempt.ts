import sql from 'sql-template-tag';
import type { SendOfAttempt } from '../../idempotency/respond-once.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { phoneOfMessage } from '../conversations/person.ts';
import { type MessageRow, stateColumns, withStates } from '../queries.ts';
import { neverReported, outcomeUnknown, reportedFailure } from './send-outcome.ts';

/**
 * How long a request with an Idempotency-Key is asked to retry because a callback may still report the outcome
 * of its message. Callbacks arrive within seconds, but the network guarantees no time.
 */
const callbackWaitMinutes = 5;
const retryAfterSeconds = 5;

/** Finds the outcome of the message that an attempt of an idempotent request stored. */
export function createSendFinder({ db }: { db: Database }) {
  return async function findSend(tenantId: number, attemptId: number): Promise<SendOfAttempt> {
    const message = await findMessageOfAttempt(db, tenantId, attemptId);
    if (!message) return { outcome: 'none' };
    const { id, network_id: messageId, phone, status, error } = message;
    if (messageId === null) {
      if (status === 'failed') return { outcome: 'refused' };
      const leftMs = callbackWaitMinutes * 60_000 - message.age_ms;
      return {
        outcome: 'unknown',
        error: leftMs > 0 ? notReportedYet(id, leftMs) : neverReported(id, callbackWaitMinutes),
      };
    }
    // The network never reported it as sent, so no earlier response can have said so.
    if (status === 'failed' && message.sent_at === null && error) {
      return { outcome: 'failed', error: reportedFailure(error, message.kind) };
    }
    return { outcome: 'sent', id, messageId, phone };
  };
}

function notReportedYet(id: number, leftMs: number) {
  const seconds = Math.min(retryAfterSeconds, leftMs / 1_000);
  return outcomeUnknown({ id, isKeyed: true, retryAfterSeconds: seconds });
}

type MessageOfAttempt = Pick<
  MessageRow,
  'id' | 'phone' | 'kind' | 'status' | 'network_id' | 'error' | 'sent_at'
> & { age_ms: number };

async function findMessageOfAttempt(
  db: Db,
  tenantId: number,
  attemptId: number,
): Promise<MessageOfAttempt | undefined> {
  const { rows } = await db.query<MessageOfAttempt>(sql`
    select ${phoneOfMessage} as phone, kind, ${stateColumns},
           (1000 * extract(epoch from now() - messages.created_at))::float8 as age_ms
    from messages ${withStates}
    where messages.tenant_id = ${tenantId} and run_id = ${attemptId}`);
  return rows[0];
}
