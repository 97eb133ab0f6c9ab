import type { Config } from '../../config.ts';
import { type AutomatedSender, resumeMs } from '../../messages/sending/automated/send-automated.ts';
import { createNumberFinder } from '../../numbers/find-number.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { attemptsInterrupted, ourSide } from '../../platform/errors/common-faults.ts';
import { claimFairly } from '../../platform/jobs/claim-fairly.ts';
import type { WorkInProgress } from '../../platform/jobs/work-in-progress.ts';
import type { Log } from '../../platform/log.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import { type AnswerOutcome, answerMessage } from './answer-message.ts';
import {
  answerQueue,
  type ClaimedAnswer,
  claimAnswers,
  dropAnswer,
  type Settlement,
  settleAnswer,
} from './answer-queries.ts';
import { answersChannel } from './queue-answers.ts';

/** Claimed messages per tenant and process. */
const maxPerTenant = 4;
/** Claimed messages per process. */
const maxInFlight = 32;
/** The delays of the retries of an answer that was certainly not sent. Even later it would be useless. */
const retryDelaysMs = [3_000, 30_000];
/** After this many attempts without an outcome, the message probably crashes its process. */
const maxAttempts = 8;

/**
 * Answers inbound messages until stopped.
 *
 * @param lookEveryMs how often to poll for messages whose notification was missed
 * @returns a function that stops claiming and waits for the answers in flight
 */
export function startAnswering(given: {
  db: Database;
  clock: Clock;
  log: Log;
  inProgress: WorkInProgress;
  config: Config;
  vault: Vault;
  networkUrl: string;
  simulatorUrl: string | undefined;
  sender: AutomatedSender;
  lookEveryMs?: number;
}): () => Promise<void> {
  const { db, log, lookEveryMs } = given;
  const services = { ...given, numbers: createNumberFinder(given) };

  async function work(claimed: ClaimedAnswer): Promise<void> {
    const outcome = await attempt(claimed);
    if (outcome === 'nothing') return dropAnswer(db, claimed);
    await settleAnswer(db, claimed, settlementOf(claimed, outcome));
  }

  async function attempt(claimed: ClaimedAnswer): Promise<AnswerOutcome | 'later' | 'nothing'> {
    // If an answer was stored, the attempt only finds its outcome, which cannot crash.
    if (claimed.attempts > maxAttempts && claimed.message_id === null) {
      return {
        state: 'failed',
        reason: attemptsInterrupted,
        bot: null,
      };
    }
    try {
      return await answerMessage(services, claimed);
    } catch (err) {
      log.error({ err, tenantId: claimed.tenant_id }, 'an answer of a bot failed');
      return {
        state: 'failed',
        reason: ourSide,
        bot: null,
        again: true,
      };
    }
  }

  return claimFairly<ClaimedAnswer>({
    db,
    log,
    inProgress: services.inProgress,
    what: 'answers of bots',
    channel: answersChannel,
    queue: answerQueue,
    maxInFlight,
    maxPerTenant,
    lookEveryMs,
    claim: claimAnswers,
    work,
  });
}

function settlementOf({ attempts }: ClaimedAnswer, outcome: AnswerOutcome | 'later'): Settlement {
  if (outcome === 'later') {
    return { state: 'waiting', reason: null, bot: null, retryInMs: resumeMs(attempts) };
  }
  const { state, reason, bot, again } = outcome;
  const retryInMs = again ? (retryDelaysMs[attempts - 1] ?? null) : null;
  return { state: retryInMs === null ? state : 'waiting', reason, bot, retryInMs };
}
