import { recordAudit } from '../../audit/record-audit.ts';
import type { Database } from '../../platform/database/database.ts';
import { withTenantLock } from '../../tenants/with-tenant-lock.ts';
import { keepDefaultNumber } from '../default-number.ts';
import { listNumbers, type NumberRow } from '../queries.ts';
import { subjectOf } from '../record-number.ts';
import { markDisconnected } from './connecting-queries.ts';

/**
 * Disconnects a number and deletes its secrets; its messages stay. If it was the default, another one follows.
 *
 * @returns undefined if the tenant has no such connected number; otherwise the default, if a number is left
 */
export async function disconnectNumber(
  db: Database,
  tenantId: number,
  phoneNumberId: string,
): Promise<{ defaultNumber: NumberRow | undefined } | undefined> {
  return withTenantLock(db, tenantId, async (tx) => {
    const numbers = await listNumbers(tx, tenantId);
    if (!(await markDisconnected(tx, tenantId, phoneNumberId))) return undefined;
    const number = numbers.find((each) => each.phone_number_id === phoneNumberId);
    const subject = number && subjectOf(number);
    await recordAudit(tx, tenantId, { action: 'number.disconnected', subject });
    return { defaultNumber: await keepDefaultNumber(tx, tenantId) };
  });
}
