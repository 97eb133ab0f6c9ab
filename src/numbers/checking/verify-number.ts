import { recordAudit } from '../../audit/record-audit.ts';
import type { Services } from '../../services.ts';
import type { NumberFinder } from '../find-number.ts';
import { refreshNumber } from '../refresh-number.ts';
import { setNumberProblem } from '../state/problem-queries.ts';
import { type Check, faultsOf } from './check.ts';
import { type CheckOptions, checkNumber } from './check-number.ts';
import { storeFaults } from './queries.ts';

/**
 * Checks a number at the network and stores what is wrong. If its sending is fine, its earlier problem is cleared.
 *
 * @returns the checks; undefined if the tenant has no such connected number
 */
export async function verifyNumber(
  services: Pick<Services, 'db' | 'log' | 'network' | 'config'>,
  numbers: NumberFinder,
  { tenantId, id }: { tenantId: number; id: number },
  options: CheckOptions = {},
): Promise<Check[] | undefined> {
  const { db } = services;
  const number = (await numbers.connected(tenantId)).find((each) => each.id === id);
  if (!number) return undefined;
  if (options.repair && options.takeOver) {
    // Before the network is called, so that nothing is taken without its entry.
    await recordAudit(db, tenantId, {
      action: 'number.changed',
      subject: { id, name: number.displayPhoneNumber ?? number.phoneNumberId },
      changes: [{ field: 'callbacks_taken_over' }],
    });
  }
  const checks = await checkNumber(services, number, options);
  // While the network does not respond, nothing is known.
  if (checks.some(({ name }) => name === 'network')) return checks;
  const sends = checks.every(({ name, ok }) => ok || !sendingChecks.includes(name));
  // A report of the network stands until a person has acted on it.
  const isSettled = sends && options.repair === true;
  await storeFaults(db, tenantId, id, {
    faults: faultsOf(checks),
    tokenExpiresAt: checks.find(({ name }) => name === 'token')?.expires_at ?? null,
    forgetFailures: isSettled,
  });
  if (isSettled) await setNumberProblem(db, tenantId, id, null);
  if (checks.some(({ name, ok }) => name === 'number' && ok)) await refreshNumber(services, number);
  return checks;
}

/** The checks without which a number cannot send. */
const sendingChecks: Check['name'][] = ['token', 'number', 'registration', 'health'];
