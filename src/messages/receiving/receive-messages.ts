import { addUnknownContacts } from '../../contacts/writing/add-unknown-contacts.ts';
import { createBatchOfLists } from '../../platform/database/batching.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { isWritten } from './find-written-message.ts';
import { type IncomingMessage, insertReceived, type ReceivedMessage } from './receive-queries.ts';

export type MessageReceiver = ReturnType<typeof createMessageReceiver>;

/**
 * Stores messages that somebody wrote to our numbers, each once however often the network tells of
 * it, together with all that follows from it: one transaction for all messages of the moment.
 */
export function createMessageReceiver({
  db,
  queueAnswers,
}: {
  db: Database;
  /** Has bots look at what somebody wrote, once the transaction commits. */
  queueAnswers(tx: Db, written: ReceivedMessage[]): Promise<void>;
}) {
  const receive = createBatchOfLists<IncomingMessage, IncomingMessage[]>({
    run: async (posts) => {
      const work = async (tx: Db) => {
        const received = await insertReceived(tx, posts.flat());
        if (received.length > 0) await follow(tx, received);
        return received;
      };
      const received = await db.transaction(work);
      const untold = new Set(received.map(keyOf));
      return posts.map((post) => post.filter((message) => untold.delete(keyOf(message))));
    },
    maxSize: 50,
  });

  /** @returns those that were not here before */
  return (messages: IncomingMessage[]): Promise<IncomingMessage[]> => receive(messages);

  /** What commits together with new messages; whatever else is to follow from one goes here. */
  async function follow(tx: Db, received: ReceivedMessage[]): Promise<void> {
    const unknown = received.filter(({ makesContact, phone }) => makesContact && isPhone(phone));
    if (unknown.length > 0) {
      await addUnknownContacts(tx, unknown.map(contactOf));
    }
    const written = received.filter(({ kind }) => isWritten(kind));
    if (written.length > 0) await queueAnswers(tx, written);
  }
}

function keyOf({ tenantId, networkId }: IncomingMessage | ReceivedMessage): string {
  return `${tenantId} ${networkId}`;
}

function isPhone(phone: string): boolean {
  return phone.startsWith('+');
}

function contactOf({ tenantId, phone, profileName }: ReceivedMessage) {
  return { tenantId, phone, firstname: profileName || phone };
}
