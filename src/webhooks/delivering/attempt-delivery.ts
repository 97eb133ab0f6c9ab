import type { Clock } from '../../platform/clock.ts';
import { type Fault, fault } from '../../platform/errors/fault.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { OutboundFailure } from '../../platform/outbound/outbound-failure.ts';
import { testEvent } from '../schema.ts';
import type { OpenedSecrets } from '../secrets/open-secrets.ts';
import { webhookId } from '../webhook-id.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import type { AttemptResult } from './record-attempts.ts';
import { requestHeaders } from './request-headers.ts';
import { retryDelayMs } from './retry-delay.ts';

const maxBodyBytes = 16 * 1024;
const maxResponseCharacters = 1_000;

/**
 * Makes one attempt of a delivery. Failures of the receiver or the network are part of the result; only our own
 * errors are thrown.
 *
 * @param opened the secrets and headers of the endpoint
 */
export async function attemptDelivery(
  delivery: ClaimedDelivery,
  opened: OpenedSecrets,
  {
    outbound,
    clock,
    timeoutMs,
    scheduleSeconds,
  }: { outbound: Outbound; clock: Clock; timeoutMs: number; scheduleSeconds: number[] },
): Promise<AttemptResult> {
  const startedAt = clock.now();
  const startedMs = performance.now();
  const call = await callReceiver(delivery, opened, { outbound, startedAt, timeoutMs });
  const outcome = outcomeOf(call);
  const schedule = delivery.event === testEvent ? scheduleSeconds.slice(0, 1) : scheduleSeconds;
  return {
    tenantId: delivery.tenant_id,
    webhookId: delivery.webhook_id,
    id: delivery.id,
    url: delivery.url,
    tries: delivery.tries,
    startedAt,
    durationMs: Math.round(performance.now() - startedMs),
    outcome,
    status: call.status,
    reason: call.reason,
    response: call.response,
    retryInMs:
      outcome === 'failed'
        ? retryDelayMs(schedule, delivery.tries + 1, call.retryAfter, clock.now())
        : null,
  };
}

type Call = {
  status: number | null;
  /** Why it failed; null if it succeeded. */
  reason: Fault | null;
  response: string | null;
  retryAfter?: string;
};

function outcomeOf({ status, reason }: Call): AttemptResult['outcome'] {
  if (reason === null) return 'delivered';
  return status === 410 ? 'gone' : 'failed';
}

async function callReceiver(
  delivery: ClaimedDelivery,
  opened: OpenedSecrets,
  { outbound, startedAt, timeoutMs }: { outbound: Outbound; startedAt: Date; timeoutMs: number },
): Promise<Call> {
  try {
    const { status, headers, body } = await outbound.request(delivery.url, {
      method: 'POST',
      headers: requestHeaders(webhookId(delivery), startedAt, delivery.body, opened),
      body: delivery.body,
      timeoutMs,
      maxBodyBytes,
    });
    return {
      status,
      reason: reasonOf(status),
      response: storableText(body),
      retryAfter: headers['retry-after'],
    };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return { status: error.status ?? null, reason: error.fault, response: null };
  }
}

function reasonOf(code: number): Fault | null {
  const status = String(code);
  if (code >= 200 && code < 300) return null;
  if (code >= 300 && code < 400) {
    return fault(
      'receiver_redirected',
      'The receiver responded with {status}; redirects are not followed.',
      { status },
    );
  }
  return fault('receiver_refused', 'The receiver responded with {status}.', { status });
}

/** Returns the beginning of a response as text that PostgreSQL can store: no NUL, no broken characters. */
function storableText(body: Buffer): string | null {
  if (body.length === 0) return null;
  const text = body.subarray(0, 4 * maxResponseCharacters).toString('utf8');
  return text.replaceAll('\0', '\uFFFD').slice(0, maxResponseCharacters).toWellFormed();
}
