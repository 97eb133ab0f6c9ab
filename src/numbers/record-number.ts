import { recordChange } from '../audit/record-audit.ts';
import type { Db } from '../platform/database/database.ts';
import { nameOf } from './name-of.ts';
import type { NumberRow } from './queries.ts';

/** The number as the subject of an entry of the audit log. */
export function subjectOf(number: NumberRow) {
  return { id: number.id, name: nameOf(number) };
}

/** Records which settings of a number change, in the transaction of the change. */
export async function recordNumberChange(
  tx: Db,
  tenantId: number,
  before: NumberRow,
  after: Partial<Pick<NumberRow, 'is_default' | 'marketing_endpoint'>>,
): Promise<void> {
  await recordChange(tx, tenantId, {
    action: 'number.changed',
    subject: subjectOf(before),
    before,
    after,
    shown: ['is_default', 'marketing_endpoint'],
  });
}
