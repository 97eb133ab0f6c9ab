import { setImmediate as nextTick } from 'node:timers/promises';
import type { Database } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import type { AppMessage } from '../../whatsapp/callbacks/read-app-messages.ts';
import { insertAppMessages } from './insert-app-messages.ts';

/**
 * One callback can have ten thousand messages. Each batch commits, so that the network's retry continues from there.
 */
const batchSize = 500;

/**
 * Stores messages of the phone app. They open no window, are not unread and reach no bot. Only those that
 * staff write now have an event. Messages that are known do not change.
 *
 * @throws ApiError 500 if one may be a message that is being sent: the network then reports it again later
 */
export async function storeAppMessages(
  { db }: { db: Database },
  number: { tenantId: number; numberId: number },
  messages: AppMessage[],
): Promise<void> {
  let uncertain = 0;
  for (let start = 0; start < messages.length; start += batchSize) {
    const batch = messages.slice(start, start + batchSize);
    uncertain += await db.transaction((tx) => insertAppMessages(tx, number, batch));
    await nextTick();
  }
  if (uncertain > 0) {
    throw new ApiError('server_error', {
      message: fault(
        'echo_of_open_send',
        'A message of the phone app may be one that is being sent. Report it again.',
      ),
      retryAfterSeconds: 5,
    });
  }
}
