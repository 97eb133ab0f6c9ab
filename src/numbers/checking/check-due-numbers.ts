import type { Services } from '../../services.ts';
import { createNumberFinder } from '../find-number.ts';
import { claimDueCheck, scheduleCheck } from './queries.ts';
import { verifyNumber } from './verify-number.ts';

const everySeconds = 86_400;
/** The pause after a check during which the network did not respond. */
const retrySeconds = 3_600;

/**
 * Checks every number of all tenants that was not checked for a day, one after the other. Nothing is changed at the
 * network: what to do is shown to the tenant.
 */
export async function checkDueNumbers(
  services: Services,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const numbers = createNumberFinder(services);
  while (!isStopping()) {
    const claimed = await claimDueCheck(services.db, everySeconds * (0.9 + 0.2 * Math.random()));
    if (!claimed) return;
    const { tenant_id: tenantId, id } = claimed;
    const checks = await verifyNumber(services, numbers, { tenantId, id });
    if (checks?.some(({ name }) => name === 'network')) {
      await scheduleCheck(services.db, tenantId, id, retrySeconds);
    }
  }
}
