import type { Services } from '../../services.ts';
import type { AccountNumber } from '../../whatsapp/numbers/list-account-numbers.ts';
import type { Check } from '../checking/check.ts';
import type { CheckOptions } from '../checking/check-number.ts';
import { verifyNumber } from '../checking/verify-number.ts';
import type { NumberFinder } from '../find-number.ts';
import { listNumbers } from '../queries.ts';
import { type ConnectedRow, connectNumber } from './connect-number.ts';
import { findVisibleNumbers } from './find-visible-numbers.ts';

/** The credentials of a number. The ids are optional if the token can see them. */
export type GivenNumber = {
  accessToken: string;
  appSecret: string;
  phoneNumberId?: string | undefined;
  businessAccountId?: string | undefined;
};

/**
 * Connects a number, sets up its callbacks, and checks it. With both ids it is connected whatever the checks find,
 * because some networks cannot be asked. Otherwise the token is asked for the ids, and must be right.
 *
 * @returns the connected number with its checks. If the token sees several numbers, it connects none and returns them
 * @throws ApiError 422 if a value is not valid or the token is not right
 */
export async function connectAndCheck(
  services: Services & { numbers: NumberFinder },
  tenantId: number,
  given: GivenNumber,
  options: Omit<CheckOptions, 'repair'> = {},
): Promise<{ connected: ConnectedRow; checks: Check[] } | { choices: AccountNumber[] }> {
  const { phoneNumberId, businessAccountId, accessToken, appSecret } = given;
  const secrets = { accessToken, appSecret };
  if (phoneNumberId !== undefined && businessAccountId !== undefined) {
    return connect({ phoneNumberId, businessAccountId });
  }
  const visible = await findVisibleNumbers(services, { ...secrets, businessAccountId });
  const matching = visible.filter(
    (each) => phoneNumberId === undefined || each.phoneNumberId === phoneNumberId,
  );
  const [only, ...others] = matching;
  if (!only) return { choices: visible };
  if (others.length > 0) return { choices: matching };
  return connect(only);

  async function connect(number: { phoneNumberId: string; businessAccountId: string }) {
    // Stored before the checks, because the network calls the callback URL while it is set up.
    const row = await connectNumber(services, tenantId, { ...number, ...secrets });
    const checks = await verifyNumber(
      services,
      services.numbers,
      { tenantId, id: row.id },
      {
        ...options,
        repair: true,
      },
    );
    const now = (await listNumbers(services.db, tenantId)).find(({ id }) => id === row.id);
    const connected = { ...row, ...now, is_default: row.is_default };
    return { connected, checks: checks ?? [] };
  }
}
