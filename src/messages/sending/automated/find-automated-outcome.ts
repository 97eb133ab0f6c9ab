import type { Db } from '../../../platform/database/database.ts';
import { findMessageState } from './automated-queries.ts';

/**
 * Finds the outcome of an automated message, for a process that resumes the work of another one:
 * - `on_its_way`: it is being sent, or its process has just died; look again later
 * - `sent`: the network took it, whatever happened afterwards
 * - `lost`: the network's response was lost, so it may have been sent
 * - `not_sent`: the network refused it, or was never reached
 * - `gone`: it was deleted with its conversation
 */
export async function findAutomatedOutcome(
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
