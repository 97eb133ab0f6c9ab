import type { Services } from '../../services.ts';
import { verifyNumber } from '../checking/verify-number.ts';
import type { NumberFinder } from '../find-number.ts';

/**
 * Sets the callbacks of an account up again after one of its numbers was disconnected: the callback URL of that number
 * may have been the one of the whole account, and it is gone.
 */
export async function handOverCallbacks(
  services: Pick<Services, 'db' | 'log' | 'network' | 'config'>,
  numbers: NumberFinder,
  { tenant_id: tenantId, business_account_id }: { tenant_id: number; business_account_id: string },
): Promise<void> {
  const left = (await numbers.connected(tenantId)).find(
    (each) => each.businessAccountId === business_account_id,
  );
  if (left) await verifyNumber(services, numbers, { tenantId, id: left.id }, { repair: true });
}
