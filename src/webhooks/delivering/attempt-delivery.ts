import type { Clock } from '../../platform/clock.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { OutboundFailure } from '../../platform/outbound/outbound-failure.ts';
import { testEvent } from '../schema.ts';
import { signedHeaders } from '../secrets/secret.ts';
import { webhookId } from '../webhook-id.ts';
import type { AttemptResult, ClaimedDelivery } from './delivery-queries.ts';
import { retryDelayMs } from './retry-delay.ts';

const maxBodyBytes = 16 * 1024;
const keptAnswerCharacters = 1_000;

/**
 * Makes one try of a delivery: prepares the call, makes it, and says how it went. What goes wrong
 * outside is part of the result; only our own faults are thrown.
 *
 * @param secrets those that sign, opened
 */
export async function attemptDelivery(
  delivery: ClaimedDelivery,
  secrets: string[],
  {
    outbound,
    clock,
    timeoutMs,
    scheduleSeconds,
  }: { outbound: Outbound; clock: Clock; timeoutMs: number; scheduleSeconds: number[] },
): Promise<AttemptResult> {
  const startedAt = clock.now();
  const startedMs = performance.now();
  const call = await callReceiver(delivery, secrets, { outbound, startedAt, timeoutMs });
  const failed = call.reason !== null;
  const gone = call.status === 410 && failed;
  const schedule = delivery.event === testEvent ? scheduleSeconds.slice(0, 1) : scheduleSeconds;
  return {
    tenantId: delivery.tenant_id,
    id: delivery.id,
    url: delivery.url,
    tries: delivery.tries,
    startedAt,
    durationMs: Math.round(performance.now() - startedMs),
    status: call.status,
    reason: call.reason,
    answer: call.answer,
    retryInMs:
      failed && !gone
        ? retryDelayMs(schedule, delivery.tries + 1, call.retryAfter, clock.now())
        : null,
    gone,
  };
}

type Call = {
  status: number | null;
  reason: string | null;
  answer: string | null;
  retryAfter?: string;
};

async function callReceiver(
  delivery: ClaimedDelivery,
  secrets: string[],
  { outbound, startedAt, timeoutMs }: { outbound: Outbound; startedAt: Date; timeoutMs: number },
): Promise<Call> {
  try {
    const { status, headers, body } = await outbound.request(delivery.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Parley-Webhooks/2',
        ...signedHeaders(webhookId(delivery), startedAt, delivery.body, secrets),
      },
      body: delivery.body,
      timeoutMs,
      maxBodyBytes,
    });
    return {
      status,
      reason: reasonOf(status),
      answer: storableText(body),
      retryAfter: headers['retry-after'],
    };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return { status: error.status ?? null, reason: error.message, answer: null };
  }
}

function reasonOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) {
    return `The receiver answered ${status}; redirects are not followed.`;
  }
  return `The receiver answered ${status}.`;
}

/** The beginning of an answer as text that PostgreSQL takes: no NUL, no broken characters. */
function storableText(body: Buffer): string | null {
  if (body.length === 0) return null;
  const text = body.subarray(0, 4 * keptAnswerCharacters).toString('utf8');
  return text.replaceAll('\0', '\uFFFD').slice(0, keptAnswerCharacters).toWellFormed();
}
