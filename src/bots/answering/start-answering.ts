import type { Config } from '../../config.ts';
import type { AutomatedSender } from '../../messages/sending/automated/send-automated.ts';
import { createNumberFinder } from '../../numbers/find-number.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Vault } from '../../platform/crypto.ts';
import { claimWork, leaseMs } from '../../platform/database/claim-work.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { type AnswerOutcome, answerMessage } from './answer-message.ts';
import {
  type ClaimedAnswer,
  claimAnswers,
  dropAnswer,
  renewAnswers,
  type Settlement,
  settleAnswer,
} from './answer-queries.ts';
import { answersChannel } from './queue-answers.ts';

/** Most messages of one tenant in hand in a process: a flood of one is no one else's. */
const mostOfTenant = 4;
/** Most messages in hand in a process. */
const mostUnderWay = 32;
/** When to look again after an answer that is still on its way. */
const laterMs = 10_000;
/** An answer that surely was not sent is tried again so long after; later it is of no use. */
const retryDelaysMs = [3_000, 30_000];
/** A message that was begun so often kills its process. */
const mostAttempts = 8;

/**
 * Answers inbound messages until stopped.
 *
 * @param lookEveryMs longest time until a message that no notification told of is found
 * @returns stops claiming and waits for the answers under way
 */
export function startAnswering(given: {
  db: Database;
  clock: Clock;
  log: Log;
  config: Config;
  vault: Vault;
  networkUrl: string;
  simulatorUrl: string | undefined;
  sender: AutomatedSender;
  lookEveryMs?: number;
}): () => Promise<void> {
  const { db, log, lookEveryMs } = given;
  const services = { ...given, numbers: createNumberFinder(given) };
  const underWay = new Map<number, number>();
  /** Whether there may be something that was not there at the last claim. */
  let isStale = true;

  async function claim(room: number): Promise<ClaimedAnswer[]> {
    isStale = false;
    const claimed = await claimAnswers(db.batched, {
      underWay,
      mostOfTenant,
      most: room,
      leaseMs,
    });
    for (const each of claimed) count(each.tenant_id, 1);
    return claimed;
  }

  async function work(claimed: ClaimedAnswer): Promise<void> {
    const outcome = await tried(claimed);
    if (outcome === 'nothing') return dropAnswer(db, claimed);
    await settleAnswer(db, claimed, settlementOf(claimed, outcome));
  }

  async function tried(claimed: ClaimedAnswer): Promise<AnswerOutcome | 'later' | 'nothing'> {
    // One whose answer was written down comes back only to be asked what became of that.
    if (claimed.attempts > mostAttempts && claimed.message_id === null) {
      return { state: 'failed', reason: 'Every try of it broke off.', bot: null };
    }
    try {
      return await answerMessage(services, claimed);
    } catch (err) {
      log.error({ err, tenantId: claimed.tenant_id }, 'an answer of a bot failed');
      return {
        state: 'failed',
        reason: 'Something went wrong on our side.',
        bot: null,
        again: true,
      };
    }
  }

  function count(tenantId: number, more: number): void {
    const now = (underWay.get(tenantId) ?? 0) + more;
    if (now > 0) underWay.set(tenantId, now);
    else underWay.delete(tenantId);
  }

  const lookAgain = () => {
    isStale = true;
  };
  return claimWork<ClaimedAnswer>({
    db,
    log,
    what: 'answers of bots',
    channel: answersChannel,
    most: mostUnderWay,
    lookEveryMs,
    notified: lookAgain,
    look: lookAgain,
    claim: (room) => (isStale ? claim(room) : undefined),
    msUntilDue: () => Number.POSITIVE_INFINITY,
    work,
    finished: ({ tenant_id }) => {
      count(tenant_id, -1);
      isStale = true;
    },
    renew: (answers) => renewAnswers(db.batched, answers, { leaseMs }),
  });
}

function settlementOf({ attempts }: ClaimedAnswer, outcome: AnswerOutcome | 'later'): Settlement {
  if (outcome === 'later') {
    return { state: 'waiting', reason: null, bot: null, retryInMs: laterMs };
  }
  const { state, reason, bot, again } = outcome;
  const retryInMs = again ? (retryDelaysMs[attempts - 1] ?? null) : null;
  return { state: retryInMs === null ? state : 'waiting', reason, bot, retryInMs };
}
