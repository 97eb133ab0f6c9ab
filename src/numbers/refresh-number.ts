import type { Database } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import type { NetworkClient } from '../whatsapp/client.ts';
import { setNumberDetails } from './connecting/connecting-queries.ts';
import type { ConnectedNumber } from './find-number.ts';
import { recordTokenStatus } from './state/report-problem.ts';

/**
 * Fetches a number's phone and throughput from the network and stores them. Fields that the network
 * does not return stay unchanged. Also records whether the network refuses the number's token.
 */
export async function refreshNumber(
  { db, log, network }: { db: Database; log: Log; network: NetworkClient },
  number: ConnectedNumber,
): Promise<void> {
  const lookUp = await network.lookUpNumber(number);
  if (lookUp.outcome === 'unreachable') return;
  const error = lookUp.outcome === 'refused' ? lookUp.error : undefined;
  await recordTokenStatus({ db, log }, number, error);
  if (lookUp.outcome === 'refused') return;
  const {
    displayPhoneNumber = number.displayPhoneNumber,
    messagesPerSecond = number.messagesPerSecond ?? null,
    verifiedName,
  } = lookUp;
  const details = { displayPhoneNumber, messagesPerSecond, verifiedName };
  await setNumberDetails(db, number.tenantId, number.id, details);
}
