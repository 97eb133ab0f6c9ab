import { setImmediate as nextTick } from 'node:timers/promises';

/** How far ahead a busy process reserves what it will probably need. */
const expectMs = 250;
/** The part of a rate that a process can use without ever asking the database. */
const allowanceShare = 1 / 40;
/** A process that has reserved this much more than it needs returns it at once. */
const maxUnneededMs = 500;

/** A rate that all processes share: one message in `everyMs`. */
export type SharedRate = {
  tenantId: number;
  /** The subject of the limit: a number, or a number and a recipient. */
  limited: string;
  everyMs: number;
  /** How many messages a process sends before it asks the database. */
  allowance: number;
};

/** Moves the position of a rate in the database. */
export type RateMove = Pick<SharedRate, 'tenantId' | 'limited'> & { movedMs: number };

/** @returns how far the rate is ahead of the clock after the move, in milliseconds */
export type MoveRate = (move: RateMove) => Promise<number>;

/**
 * The position of this process in a rate: the theoretical arrival time (of GCRA) of its next message. The position
 * of all processes together is in the database.
 *
 * - A process sends a few messages without asking the database, and reports them afterwards.
 * - Before it sends more, it moves the common position by all messages that wait, and by those that it expects for
 *   the next quarter of a second. It has then reserved a span of time with places for messages. Places that it
 *   does not use in time are lost. If it has reserved many too many, it returns them.
 *
 * A busy process therefore asks a few times a second, an idle one never, and one that dies leaves nothing behind. If
 * the database does not respond, the process continues as if it were the only one.
 *
 * All times are those of the monotonic clock, in milliseconds.
 */
export class RatePosition {
  readonly #rate: SharedRate;
  readonly #moveRate: MoveRate;
  #nextAt = 0;
  /** How much of it the database does not know. Negative: reserved there, and not used yet. */
  #unreportedMs = 0;
  #passedAt = 0;
  /** Messages that wait until this process has asked. */
  #waitingMs = 0;
  /** Messages since `#askedAt`. */
  #usedMs = 0;
  #askedAt = 0;
  #asking: Promise<boolean> | undefined;

  constructor(rate: SharedRate, moveRate: MoveRate) {
    this.#rate = rate;
    this.#moveRate = moveRate;
  }

  /** Returns the time of a message that arrives now, after all messages that wait already. */
  nextAt(): number {
    this.#pass();
    return this.#nextAt + this.#waitingMs;
  }

  /** Whether the next message must wait until this process has asked. */
  mustAsk(): boolean {
    const { everyMs, allowance } = this.#rate;
    return this.#unreportedMs + everyMs > allowance * everyMs;
  }

  /** Takes the place of the next message, and returns its time. */
  take(): number {
    this.#pass();
    const { everyMs } = this.#rate;
    const at = this.#nextAt;
    this.#usedMs += everyMs;
    this.#move(everyMs);
    return at;
  }

  /** Takes the place of the next message, after asking the database if this process must. */
  async takeAsked(): Promise<number> {
    const { everyMs } = this.#rate;
    this.#waitingMs += everyMs;
    // A question that is under way does not include this message.
    while (this.mustAsk() && (await this.#ask()));
    this.#waitingMs -= everyMs;
    return this.take();
  }

  /** Resolves after the messages that are waiting now, if there are any. */
  async settled(): Promise<void> {
    if (this.#waitingMs === 0) return;
    await this.#asking;
    await nextTick();
  }

  /** Returns a place that is not used after all. */
  release(): void {
    this.#move(-this.#rate.everyMs);
  }

  /** Moves ahead without a message of ours, to at most `maxAheadMs` ahead of the clock. */
  moveAhead(byMs: number, maxAheadMs: number): void {
    this.#pass();
    const aheadMs = this.#nextAt - this.#passedAt;
    this.#move(Math.max(0, Math.min(byMs, maxAheadMs - aheadMs)));
  }

  /** Whether the position equals that of a rate that was never used. */
  isIdle(): boolean {
    return this.#nextAt <= performance.now() && this.#waitingMs === 0;
  }

  /** Brings the position up to the present. */
  #pass(): void {
    const now = performance.now();
    if (this.#unreportedMs < 0) {
      this.#unreportedMs = Math.min(0, this.#unreportedMs + Math.max(0, now - this.#nextAt));
    } else {
      const forgottenMs = (now - this.#passedAt) * allowanceShare;
      this.#unreportedMs = Math.max(0, this.#unreportedMs - forgottenMs);
    }
    this.#nextAt = Math.max(this.#nextAt, now);
    this.#passedAt = now;
  }

  #move(byMs: number): void {
    const { everyMs, allowance } = this.#rate;
    this.#nextAt += byMs;
    this.#unreportedMs += byMs;
    const unneededMs = -this.#unreportedMs - this.#waitingMs;
    if (this.#unreportedMs > (allowance * everyMs) / 2 || unneededMs > maxUnneededMs) {
      void this.#ask();
    }
  }

  #ask(): Promise<boolean> {
    this.#asking ??= this.#synchronize().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Returns false if the database did not respond. */
  async #synchronize(): Promise<boolean> {
    // The other messages of this event-loop tick are included.
    await nextTick();
    this.#pass();
    const { tenantId, limited } = this.#rate;
    const sinceMs = Math.max(expectMs, this.#passedAt - this.#askedAt);
    const expectedMs = expectMs * Math.min(1, this.#usedMs / sinceMs);
    this.#usedMs = 0;
    this.#askedAt = this.#passedAt;
    const movedMs = this.#unreportedMs + this.#waitingMs + expectedMs;
    try {
      const aheadMs = await this.#moveRate({ tenantId, limited, movedMs });
      this.#pass();
      this.#unreportedMs -= movedMs;
      this.#nextAt = this.#passedAt + aheadMs + this.#unreportedMs;
      return true;
    } catch {
      return false;
    }
  }
}
