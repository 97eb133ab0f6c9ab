import type { Database, Db } from '../platform/database/database.ts';
import { withTenantLock } from '../tenants/with-tenant-lock.ts';
import { listNumbers, type NumberRow, setDefaultNumber } from './queries.ts';
import { recordNumberChange } from './record-number.ts';

/**
 * Returns the number from which a tenant sends to people with whom it has no messages: the default. Without one,
 * such as in a process without the simulator that has it, the oldest real number, otherwise the oldest.
 *
 * @param rows the numbers that can send, the oldest first
 */
function defaultOf(rows: NumberRow[]): NumberRow | undefined {
  return rows.find((row) => row.is_default) ?? rows.find((row) => !row.simulator) ?? rows[0];
}

/** The same rows. Exactly one is the default. */
export function withDefault(rows: NumberRow[]): NumberRow[] {
  const first = defaultOf(rows);
  return rows.map((row) => ({ ...row, is_default: row === first }));
}

/**
 * Makes a number the default of its tenant.
 *
 * @returns undefined if the tenant has no such connected number
 */
export async function chooseDefaultNumber(
  db: Database,
  tenantId: number,
  phoneNumberId: string,
): Promise<NumberRow | undefined> {
  return withTenantLock(db, tenantId, async (tx) => {
    const number = (await listNumbers(tx, tenantId)).find(
      (row) => row.phone_number_id === phoneNumberId,
    );
    if (!number) return undefined;
    await setDefaultNumber(tx, tenantId, number.id);
    await recordNumberChange(tx, tenantId, number, { is_default: true });
    return { ...number, is_default: true };
  });
}

/**
 * Chooses the default after a number was connected or disconnected. A real number takes over from a simulated one
 * when it is connected. After the default was disconnected, the oldest real number follows.
 *
 * @param connected the number that has just been connected, if any
 * @returns the default, if there is a number
 */
export async function keepDefaultNumber(
  tx: Db,
  tenantId: number,
  connected?: NumberRow,
): Promise<NumberRow | undefined> {
  const numbers = await listNumbers(tx, tenantId);
  const current = defaultOf(numbers);
  const takesOver = current?.simulator && connected && !connected.simulator;
  const chosen = takesOver ? connected : current;
  if (chosen && !chosen.is_default) await setDefaultNumber(tx, tenantId, chosen.id);
  return chosen && { ...chosen, is_default: true };
}
