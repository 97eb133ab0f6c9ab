import type { Database } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors/api-error.ts';
import { fault } from '../../../platform/errors/fault.ts';
import { sha256 } from '../../../platform/secrets/crypto.ts';
import { clientNetwork } from '../../../platform/values/networks.ts';
import { type AttemptCounter, countAttempt, uncountAttempt } from './attempt-queries.ts';
import type { KnownDevice } from './known-devices.ts';

/**
 * Attempts per quarter of an hour: per client and account, per client, and per account. Sign-ins of an account whose
 * second step is due. Each of those allows five wrong codes.
 */
const max = { pair: 10, client: 60, account: 200, secondSteps: 10 };

/** An attempt that was counted. */
export type CountedAttempt = {
  /**
   * Whether strangers have used up the attempts on this email: only accounts known to the device
   * may sign in.
   */
  isOnlyForKnown: boolean;
  /** Uncounts the attempt after the right password, so that only wrong ones use up attempts. */
  uncount(): Promise<void>;
};

export type PasswordLimit = ReturnType<typeof createPasswordLimit>;

/**
 * Creates the limits for password attempts, which all processes share. An attempt is counted before
 * the password is checked, so that concurrent attempts count too. An attempt over a limit writes
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
        message: fault(
          'too_many_attempts',
          'Too many attempts. Wait {minutes} min and try again.',
          { minutes: Math.ceil(seconds / 60) },
        ),
        retryAfterSeconds: seconds,
      });
    }
    const counted = counts.filter(({ is_over }) => !is_over).map(({ key }) => key);
    return { isOnlyForKnown: over.length > 0, uncount: () => uncountAttempt(db, counted) };
  }

  return {
    /**
     * Counts an attempt to sign in. All strangers share the attempts on an email. A device on which
     * an account with the email has signed in has attempts of its own.
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

    /**
     * Counts an attempt of a signed-in person at their own password. Strangers cannot use these up.
     */
    countOwn(userId: string, address: string): Promise<CountedAttempt> {
      const client = clientNetwork(address);
      return count([
        { key: keyOf('pair', client, userId), max: max.pair },
        { key: keyOf('client', client), max: max.client },
        { key: keyOf('account', userId), max: max.account },
      ]);
    },

    /**
     * Counts an attempt through an invitation. Only people with a link of this tenant can use these
     * up.
     */
    countLink(tenantId: number, email: string, address: string): Promise<CountedAttempt> {
      return count([
        { key: keyOf('link', String(tenantId), email), max: max.pair },
        { key: keyOf('client', clientNetwork(address)), max: max.client },
      ]);
    },

    /**
     * Counts a sign-in whose second step is due. better-auth locks an account after ten wrong codes, but codes that are
     * sent at the same time are all tried before the first is counted.
     *
     * @param device has sign-ins of its own if the account has signed in on it, so that strangers cannot lock it out
     */
    countSecondStep(userId: string, device: KnownDevice | undefined): Promise<CountedAttempt> {
      return count([{ key: secondStepKey(userId, device), max: max.secondSteps }]);
    },

    /** Uncounts a sign-in after its second step. */
    uncountSecondStep(userId: string, device: KnownDevice | undefined): Promise<void> {
      return uncountAttempt(db, [secondStepKey(userId, device)]);
    },

    /**
     * Claims a code of an authenticator app; false if it was used before. A code is valid for 90
     * seconds, in which somebody may have seen it.
     */
    async claimCode(userId: string, code: string): Promise<boolean> {
      const key = keyOf('code', userId, code);
      const [used] = await countAttempt(db, [{ key, max: 1 }]);
      return used?.is_over === false;
    },
  };
}

function secondStepKey(userId: string, device: KnownDevice | undefined): Buffer {
  return keyOf('second step', userId, device?.accounts.includes(userId) ? device.id : '');
}

function keyOf(...parts: string[]): Buffer {
  return sha256(parts.map((part) => part.toLowerCase()).join('\n'));
}
