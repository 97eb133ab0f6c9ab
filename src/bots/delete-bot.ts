import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../platform/database/database.ts';
import { deleteBotRow } from './queries.ts';

/**
 * Deletes a bot. Its answers stay in the log with its name.
 *
 * @returns whether the tenant had such a bot
 */
export function deleteBot(db: Database, tenantId: number, id: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const name = await deleteBotRow(tx, tenantId, id);
    if (name === undefined) return false;
    await recordAudit(tx, tenantId, { action: 'bot.deleted', subject: { id, name } });
    return true;
  });
}
