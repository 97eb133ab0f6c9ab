import type { Db } from '../../../platform/database/database.ts';
import { findMessageState } from './unasked-queries.ts';

/**
 * What became of a message that was written down by an unasked sender, for a process that finds it
 * and does not know:
 * - `on_its_way`: it is being sent, or whoever sent it died a moment ago; look again
 * - `sent`: the network has taken it, whatever became of it after
 * - `lost`: the answer of the network was, so it may have been sent
 * - `not_sent`: the network refused it, or was never reached
 * - `gone`: deleted with its conversation
 */
export async function findUnaskedOutcome(
  db: Db,
  tenantId: number,
  id: number,
): Promise<'on_its_way' | 'sent' | 'lost' | 'not_sent' | 'gone'> {
  const message = await findMessageState(db, tenantId, id);
  if (!message) return 'gone';
  if (message.network_id !== null) return 'sent';
  switch (message.status) {
    case 'accepting':
      return 'on_its_way';
    case 'unknown':
      return 'lost';
    case 'failed':
      return 'not_sent';
    default:
      return 'sent';
  }
}
