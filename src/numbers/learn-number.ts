import type { Database } from '../platform/database/database.ts';
import type { NetworkClient } from '../whatsapp/client.ts';
import type { ConnectedNumber } from './find-number.ts';
import { setNumberDetails } from './queries.ts';

/**
 * Asks the network which phone a number is and how fast it may send, and keeps it; what it does not
 * say stays as it was.
 */
export async function learnNumber(
  { db, network }: { db: Database; network: NetworkClient },
  number: ConnectedNumber,
): Promise<void> {
  const looked = await network.lookUpNumber(number);
  if (looked.outcome !== 'found') return;
  const {
    displayPhoneNumber = number.displayPhoneNumber,
    messagesPerSecond = number.messagesPerSecond ?? null,
  } = looked;
  await setNumberDetails(db, number.tenantId, number.id, { displayPhoneNumber, messagesPerSecond });
}
