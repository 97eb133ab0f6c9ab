import { ApiError } from '../../errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { sha256 } from '../../platform/crypto.ts';
import type { Database } from '../../platform/database/database.ts';
import { clientNetwork } from '../../platform/networks.ts';
import { countPasswordAttempts, forgetPasswordAttempts } from './account-queries.ts';

/** Most tries in a quarter of an hour: of one account from one address, from one address, of one account. */
const most = { pair: 10, client: 60, account: 200 };

/**
 * Limits how often a password may be tried. Each try is counted before the password is looked at,
 * so tries made at once count too; a right password forgets the tries of its pair. And it lets a code
 * of the second step be used once.
 *
 * @throws ApiError 429
 */
export function createPasswordLimit({ db, clock }: { db: Database; clock: Clock }) {
  return {
    async count(account: string, address: string): Promise<void> {
      const client = clientNetwork(address);
      const limits = [
        { key: keyOf('pair', account, client), most: most.pair },
        { key: keyOf('client', client), most: most.client },
        { key: keyOf('account', account), most: most.account },
      ];
      const keys = limits.map(({ key }) => key);
      const counts = await countPasswordAttempts(db, keys, clock.offsetMs);
      const over = counts.filter(({ key, attempts }) =>
        limits.some((limit) => limit.key.equals(key) && attempts > limit.most),
      );
      if (over.length === 0) return;
      const seconds = Math.max(...over.map((each) => each.reset_seconds));
      throw new ApiError('rate_limited', {
        message: `Too many tries. Wait ${Math.ceil(seconds / 60)} min and try again.`,
        retryAfterSeconds: seconds,
      });
    },
    async forget(account: string, address: string): Promise<void> {
      await forgetPasswordAttempts(db, [keyOf('pair', account, clientNetwork(address))]);
    },
    /**
     * Whether a code of an authenticator app is used for the first time; it is the code of the moment
     * for a minute and a half, in which somebody may have read it.
     */
    async takeCode(userId: string, code: string): Promise<boolean> {
      const used = await countPasswordAttempts(db, [keyOf('code', userId, code)], clock.offsetMs);
      return used[0]?.attempts === 1;
    },
  };
}

function keyOf(...parts: string[]): Buffer {
  return sha256(parts.map((part) => part.toLowerCase()).join('\n'));
}
