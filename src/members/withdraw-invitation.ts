import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../platform/database/database.ts';
import { deleteInvitation } from './queries.ts';

/**
 * Withdraws an invitation, whose link then no longer works.
 *
 * @returns whether there was an open one
 */
export function withdrawInvitation(db: Database, tenantId: number, id: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const email = await deleteInvitation(tx, tenantId, id);
    if (email === undefined) return false;
    await recordAudit(tx, tenantId, { action: 'member.uninvited', subject: { name: email } });
    return true;
  });
}
