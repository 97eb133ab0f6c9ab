import type { SendOfRun } from '../../idempotency/answer-once.ts';
import type { Database } from '../../platform/database/database.ts';
import { findMessageOfRun } from './send-queries.ts';

/**
 * Finds what came of the message that a run of an idempotent request wrote down. Once the network
 * has named it, it was sent, whatever became of it after.
 */
export function createSendFinder({ db }: { db: Database }) {
  return async function findSend(tenantId: number, runId: number): Promise<SendOfRun> {
    const message = await findMessageOfRun(db, tenantId, runId);
    if (!message) return { outcome: 'none' };
    const { id, network_id: messageId, phone, status } = message;
    if (messageId !== null) return { outcome: 'sent', id, messageId, phone };
    return { outcome: status === 'failed' ? 'refused' : 'unknown' };
  };
}
