import type { Database } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import type { NetworkClient } from '../whatsapp/client.ts';
import type { ConnectedNumber } from './find-number.ts';
import { setNumberDetails } from './queries.ts';
import { recordTokenStatus } from './report-problem.ts';

/**
 * Asks the network which phone a number is and how fast it may send, and keeps it; what it does not
 * say stays as it was. A token that is refused stays with the number, and one that is taken again goes.
 */
export async function refreshNumber(
  { db, log, network }: { db: Database; log: Log; network: NetworkClient },
  number: ConnectedNumber,
): Promise<void> {
  const looked = await network.lookUpNumber(number);
  if (looked.outcome === 'unreachable') return;
  await recordTokenStatus({ db, log }, number, looked.outcome === 'refused' ? looked.error : undefined);
  if (looked.outcome === 'refused') return;
  const {
    displayPhoneNumber = number.displayPhoneNumber,
    messagesPerSecond = number.messagesPerSecond ?? null,
  } = looked;
  await setNumberDetails(db, number.tenantId, number.id, { displayPhoneNumber, messagesPerSecond });
}
