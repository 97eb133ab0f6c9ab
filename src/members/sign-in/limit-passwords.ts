import { ApiError } from '../../errors.ts';
import { sha256 } from '../../platform/crypto.ts';
import type { Database } from '../../platform/database/database.ts';
import { clientNetwork } from '../../platform/networks.ts';
import { type AttemptCounter, countAttempt, takeBackAttempt } from './attempt-queries.ts';

/** Attempts in a quarter of an hour: from one place on one account, from one address, on one account. */
const max = { pair: 10, client: 60, account: 200 };

/** An attempt that was counted. */
export type CountedAttempt = {
  /** Strangers have used up the attempts on this email: only accounts known to the device are tried. */
  isOnlyForKnown: boolean;
  /** Takes the count back, after the right password: only wrong ones use up attempts. */
  takeBack(): Promise<void>;
};

export type PasswordLimit = ReturnType<typeof createPasswordLimit>;

/**
 * Limits how often a password may be tried, in all processes together. Each attempt is counted before
 * the password is looked at, so that attempts at the same time count too. One over a limit writes
 * nothing. Every method throws ApiError 429 over a limit.
 */
export function createPasswordLimit({ db }: { db: Database }) {
  async function count(counters: AttemptCounter[]): Promise<CountedAttempt> {
    const counts = await countAttempt(db, counters);
    const over = counts.filter(({ is_over }) => is_over);
    const refusing = over.filter(({ may_be_over }) => !may_be_over);
    if (refusing.length > 0) {
      const seconds = Math.max(...refusing.map((each) => each.reset_seconds));
      throw new ApiError('rate_limited', {
        message: `Too many tries. Wait ${Math.ceil(seconds / 60)} min and try again.`,
        retryAfterSeconds: seconds,
      });
    }
    const counted = counts.filter(({ is_over }) => !is_over).map(({ key }) => key);
    return { isOnlyForKnown: over.length > 0, takeBack: () => takeBackAttempt(db, counted) };
  }

  return {
    /**
     * An attempt to sign in. Strangers share the attempts on an email; a device on which an account of
     * it signed in before has its own.
     *
     * @param deviceId the known device, if it is one
     */
    countSignIn(email: string, address: string, deviceId?: string): Promise<CountedAttempt> {
      const client = clientNetwork(address);
      const from = deviceId === undefined ? ['pair', client] : ['device', deviceId];
      return count([
        { key: keyOf(...from, email), max: max.pair },
        { key: keyOf('client', client), max: max.client },
        { key: keyOf('account', email), max: max.account, mayBeOver: deviceId !== undefined },
      ]);
    },

    /** An attempt of somebody who is signed in, on the own password. Strangers cannot use these up. */
    countOwn(userId: string, address: string): Promise<CountedAttempt> {
      const client = clientNetwork(address);
      return count([
        { key: keyOf('pair', client, userId), max: max.pair },
        { key: keyOf('client', client), max: max.client },
        { key: keyOf('account', userId), max: max.account },
      ]);
    },

    /** An attempt by the link of an invitation. Only who has a link of this tenant can use these up. */
    countLink(tenantId: number, email: string, address: string): Promise<CountedAttempt> {
      return count([
        { key: keyOf('link', String(tenantId), email), max: max.pair },
        { key: keyOf('client', clientNetwork(address)), max: max.client },
      ]);
    },

    /**
     * Whether a code of an authenticator app is used for the first time; it is valid for a minute and a
     * half, in which somebody may have read it.
     */
    async takeCode(userId: string, code: string): Promise<boolean> {
      const key = keyOf('code', userId, code);
      const [used] = await countAttempt(db, [{ key, max: 1 }]);
      return used?.is_over === false;
    },
  };
}

function keyOf(...parts: string[]): Buffer {
  return sha256(parts.map((part) => part.toLowerCase()).join('\n'));
}
