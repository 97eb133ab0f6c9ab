import type { Config } from '../../config.ts';
import type { UnaskedSender } from '../../messages/sending/send-unasked.ts';
import { createNumberFinder } from '../../numbers/find-number.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Vault } from '../../platform/crypto.ts';
import type { Database } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import { createSleeper } from '../../platform/sleeper.ts';
import { type AnswerOutcome, answerMessage } from './answer-message.ts';
import {
  answersChannel,
  type ClaimedAnswer,
  claimAnswers,
  dropAnswer,
  renewAnswers,
  settleAnswer,
} from './answer-queries.ts';

/** Most messages of one tenant in hand in a process: a flood of one is no one else's. */
const mostOfTenant = 4;
/** Most messages in hand in a process. */
const mostUnderWay = 32;
/** How often to look for what no notification told of: retries, and what other processes left. */
const lookEveryMs = 1_000;
/** When to look again after an answer that is still on its way. */
const laterMs = 10_000;
/** After so long another process takes up what one that died had in hand; renewed while it works. */
const leaseMs = 10_000;
const renewEveryMs = 3_000;
/** An answer that surely was not sent is tried again so long after; later it is of no use. */
const retryDelaysMs = [3_000, 30_000];
/** A message that was begun so often kills its process. */
const mostAttempts = 8;

/**
 * Answers inbound messages until stopped: the one claimer of this process. It sleeps until a commit
 * that wrote messages down notifies it, or for a second.
 *
 * @returns stops claiming and waits for the answers under way
 */
export function startAnswering(given: {
  db: Database;
  clock: Clock;
  log: Log;
  config: Config;
  vault: Vault;
  networkUrl: string;
  simulatorUrl: string;
  sender: UnaskedSender;
}): () => Promise<void> {
  const { db, clock, log } = given;
  const services = { ...given, numbers: createNumberFinder(given) };
  const underWay = new Map<number, number>();
  const running = new Map<ClaimedAnswer, Promise<void>>();
  let stopped = false;
  let isStale = true;
  const { sleep, wake } = createSleeper();

  async function claimAll(): Promise<void> {
    while (!stopped) {
      if (!isStale || running.size >= mostUnderWay) {
        // Who wakes it says by that whether there is something to see.
        const wasWoken = await sleep(lookEveryMs);
        if (!wasWoken) isStale = true;
        continue;
      }
      isStale = false;
      try {
        await claim();
      } catch (err) {
        log.error({ err }, 'claiming messages for bots failed');
        await sleep(lookEveryMs);
        isStale = true;
      }
    }
  }

  async function claim(): Promise<void> {
    const claimed = await claimAnswers(db.batched, {
      underWay,
      mostOfTenant,
      most: mostUnderWay - running.size,
      leaseMs,
      clockOffsetMs: clock.offsetMs,
    });
    for (const each of claimed) {
      count(each.tenant_id, 1);
      const task: Promise<void> = work(each).finally(() => {
        count(each.tenant_id, -1);
        running.delete(each);
        isStale = true;
        wake();
      });
      running.set(each, task);
    }
  }

  async function work(claimed: ClaimedAnswer): Promise<void> {
    try {
      const outcome = await tried(claimed);
      if (outcome === 'nothing') await dropAnswer(db, claimed);
      else await settle(claimed, outcome);
    } catch (err) {
      // Its lease runs out, and it is looked at again.
      log.error({ err, tenantId: claimed.tenant_id }, 'an answer of a bot broke off');
    }
  }

  async function tried(claimed: ClaimedAnswer): Promise<AnswerOutcome | 'later' | 'nothing'> {
    if (claimed.attempts > mostAttempts) {
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

  async function settle(claimed: ClaimedAnswer, outcome: AnswerOutcome | 'later'): Promise<void> {
    const again = outcome !== 'later' && outcome.again;
    const { state, reason, bot } =
      outcome === 'later' ? { state: 'waiting' as const, reason: null, bot: null } : outcome;
    await settleAnswer(db, claimed, {
      state,
      reason,
      bot,
      retryInMs:
        outcome === 'later'
          ? laterMs
          : again
            ? (retryDelaysMs[claimed.attempts - 1] ?? null)
            : null,
      clockOffsetMs: clock.offsetMs,
    });
  }

  function count(tenantId: number, more: number): void {
    const now = (underWay.get(tenantId) ?? 0) + more;
    if (now > 0) underWay.set(tenantId, now);
    else underWay.delete(tenantId);
  }

  const listening = db
    .listen(answersChannel, () => {
      isStale = true;
      wake();
    })
    .catch((err) =>
      log.error({ err }, 'no notifications of messages for bots; they are found by looking'),
    );
  const claiming = claimAll();
  const renewal = setInterval(() => {
    if (running.size === 0) return;
    renewAnswers(db.batched, [...running.keys()], { leaseMs, clockOffsetMs: clock.offsetMs }).catch(
      (err) => log.error({ err }, 'renewing the leases of answers failed'),
    );
  }, renewEveryMs);

  return async () => {
    stopped = true;
    wake();
    (await listening)?.();
    await claiming;
    await Promise.all(running.values());
    clearInterval(renewal);
  };
}
