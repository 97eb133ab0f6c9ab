import type { Database } from '../platform/database.ts';
import type { NetworkClient } from '../whatsapp/client.ts';
import type { ConnectedNumber } from './find-number.ts';
import { setNumberThroughput } from './queries.ts';

/** Asks the network how fast a number may send, and keeps it; when it does not say, nothing changes. */
export async function learnThroughput(
  { db, network }: { db: Database; network: NetworkClient },
  number: ConnectedNumber,
): Promise<void> {
  const looked = await network.lookUpNumber(number);
  const level = looked.outcome === 'found' ? looked.messagesPerSecond : undefined;
  if (level === undefined || level === number.messagesPerSecond) return;
  await setNumberThroughput(db, number.tenantId, number.id, level);
}
