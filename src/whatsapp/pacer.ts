import { setTimeout as sleep } from 'node:timers/promises';

/** The network's two rates for what one number sends (its documentation, November 2026). */
const pairEveryMs = 6_000;
/**
 * The network allows 45 at once to one phone, and a second's worth at once in all. We stay below
 * both, because calls that left evenly may arrive in a bunch.
 */
const pairBurst = 44;
const burstSeconds = 0.8;
/**
 * What is no turn of ours (inbound messages, the network's own refusals) pushes a number so far ahead
 * at most: its burst is used up and a message waits a second, but what comes meanwhile still finds a
 * turn within the two seconds that it may wait.
 */
const mostPushedMs = (burstSeconds + 1) * 1_000;
const mostPairs = 100_000;

export type Turn = { waitMs: number } | { refusedForSeconds: number };

/**
 * A number as it is paced. Anybody can claim to have a phone number id, so it stands for a number
 * within its tenant only: else one tenant could use up the pace of another.
 */
export type PacedNumber = {
  tenantId: number;
  phoneNumberId: string;
  /** What the network takes of this number; absent: the usual. */
  messagesPerSecond?: number | null;
};

/**
 * A short queue in front of the network, so that a burst is spread out and not refused: each number
 * has its throughput, and each phone it sends to a slower rate of its own.
 *
 * It lives in the process. Of several processes on one machine each takes its share; services on
 * several machines do not know of each other, and there the network's refusals are the limit.
 *
 * @param messagesPerSecond of a number whose own rate is not known; 0 switches pacing off
 * @param processes how many share the rates
 */
export function createPacer({
  messagesPerSecond: usual,
  processes,
}: {
  messagesPerSecond: number;
  processes: number;
}) {
  // A lane's next free moment if every message kept its distance; bursts run ahead of the clock.
  const numbers = new Map<string, number>();
  const pairs = new Map<string, number>();

  const rateOf = (perSecond: number | null | undefined) => (perSecond ?? usual) / processes;

  /** Makes room in the memory: a lane whose next moment has passed says nothing. */
  function dropFree(now: number) {
    for (const [key, next] of pairs) if (next <= now) pairs.delete(key);
    if (pairs.size > mostPairs) pairs.clear();
  }

  function push(number: PacedNumber, byMs: number) {
    const key = keyOf(number);
    const now = performance.now();
    const next = Math.max(numbers.get(key) ?? 0, now);
    numbers.set(key, Math.max(next, Math.min(next + byMs, now + mostPushedMs)));
  }

  function take(number: PacedNumber, phone: string, mostMs: number): Turn {
    if (usual === 0) return { waitMs: 0 };
    const now = performance.now();
    const everyMs = 1_000 / rateOf(number.messagesPerSecond);
    const key = keyOf(number);
    const pairKey = `${key} ${phone}`;
    const pairMs = pairEveryMs * processes;
    const next = Math.max(numbers.get(key) ?? 0, now);
    const nextOfPair = Math.max(pairs.get(pairKey) ?? 0, now);
    const waitMs = Math.max(
      0,
      next - burstSeconds * 1_000 - now,
      nextOfPair - (Math.max(1, Math.floor(pairBurst / processes)) - 1) * pairMs - now,
    );
    if (waitMs > mostMs) return { refusedForSeconds: Math.ceil(waitMs / 1_000) };
    numbers.set(key, next + everyMs);
    pairs.set(pairKey, nextOfPair + pairMs);
    if (pairs.size > mostPairs) dropFree(now);
    return { waitMs };
  }

  return {
    /**
     * Takes the turn of a message, which comes after `waitMs`.
     *
     * @param mostMs the longest wait; when it would be longer, no turn is taken
     */
    take,

    /** Takes the turn of a message, and waits for it. */
    async turn(number: PacedNumber, phone: string, mostMs: number): Promise<Turn> {
      const turn = take(number, phone, mostMs);
      if ('waitMs' in turn && turn.waitMs > 0) await sleep(turn.waitMs);
      return turn;
    },

    /** The turn of a message that is not sent after all is there for others. */
    giveBack(number: PacedNumber, phone: string): void {
      const key = keyOf(number);
      const pairKey = `${key} ${phone}`;
      const next = numbers.get(key);
      const nextOfPair = pairs.get(pairKey);
      if (next !== undefined) numbers.set(key, next - 1_000 / rateOf(number.messagesPerSecond));
      if (nextOfPair !== undefined) pairs.set(pairKey, nextOfPair - pairEveryMs * processes);
    },

    /** Inbound messages count against a number's throughput too. */
    countInbound(number: PacedNumber, messages: number): void {
      if (usual === 0) return;
      push(number, (messages * 1_000) / rateOf(number.messagesPerSecond));
    },

    /** The network refused for the rate: others use the number too, so its burst is used up. */
    slowDown(number: PacedNumber): void {
      push(number, mostPushedMs);
    },
  };
}

function keyOf({ tenantId, phoneNumberId }: PacedNumber): string {
  return `${tenantId} ${phoneNumberId}`;
}
