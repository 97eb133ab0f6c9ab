import { addUnknownContacts } from '../../contacts/writing/add-unknown-contacts.ts';
import { updateUsernames } from '../../contacts/writing/update-usernames.ts';
import { createBatchOfLists, runAlone } from '../../platform/database/batching.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { type AttestedLink, linkLists } from '../identities/link-identities.ts';
import { isUserMessage } from './find-user-message.ts';
import { type IncomingMessage, insertReceived, type ReceivedMessage } from './insert-received.ts';

export type MessageReceiver = ReturnType<typeof createMessageReceiver>;

/**
 * Stores inbound messages and their consequences, in one transaction per batch. Messages for which conversations are
 * merged have their own transaction, because a merge can take many seconds. The network may repeat a message; it is
 * stored once.
 */
export function createMessageReceiver({
  db,
  queueAnswers,
  queueFiles,
}: {
  db: Database;
  /** Queues messages for the bots. They see them after the commit. */
  queueAnswers(tx: Db, messages: ReceivedMessage[]): Promise<void>;
  /** Queues the files of messages that are to be kept. */
  queueFiles(tx: Db, messages: ReceivedMessage[]): Promise<void>;
}) {
  const receive = createBatchOfLists<IncomingMessage, IncomingMessage[]>({
    run: async (lists, isAlone) => {
      const work = async (tx: Db) => {
        const links = lists.map((list) => list.flatMap(linksOf));
        const areLeft = await linkLists(tx, links, isAlone);
        const received = await insertReceived(
          tx,
          lists.flatMap((list, index) => (areLeft[index] ? [] : list)),
        );
        if (received.length > 0) await addConsequences(tx, received);
        return { areLeft, received };
      };
      const { areLeft, received } = await db.transaction(work);
      const unclaimed = new Set(received.map(keyOf));
      return lists.map((list, index) =>
        areLeft[index] ? runAlone : list.filter((message) => unclaimed.delete(keyOf(message))),
      );
    },
    maxSize: 50,
  });

  /** @returns the new messages */
  return (messages: IncomingMessage[]): Promise<IncomingMessage[]> => receive(messages);

  /** Adds everything that commits together with new messages. */
  async function addConsequences(tx: Db, received: ReceivedMessage[]): Promise<void> {
    const unknown = received.filter((each) => each.makesContact && isReachable(each));
    if (unknown.length > 0) {
      await addUnknownContacts(tx, unknown.map(contactOf));
    }
    const named = received.flatMap(({ tenantId, userId, username }) =>
      userId && username ? [{ tenantId, userId, username }] : [],
    );
    if (named.length > 0) await updateUsernames(tx, named);
    const userMessages = received.filter(({ kind }) => isUserMessage(kind));
    if (userMessages.length > 0) await queueAnswers(tx, userMessages);
    await queueFiles(tx, received);
  }
}

function keyOf({ tenantId, networkId }: IncomingMessage | ReceivedMessage): string {
  return `${tenantId} ${networkId}`;
}

function linksOf(message: IncomingMessage): AttestedLink[] {
  const { tenantId, links = [], username = null, networkId: messageId } = message;
  return links.map((link) => ({ tenantId, ...link, username, messageId }));
}

/**
 * A person has a contact if a message can be sent to the phone or the user id. The network's own messages about a
 * person, such as a changed phone, are not from the person.
 */
function isReachable({ kind, knownAs, userId }: ReceivedMessage): boolean {
  if (kind === 'system') return false;
  return knownAs.startsWith('+') || userId !== null;
}

function contactOf({ tenantId, knownAs, userId, username, profileName }: ReceivedMessage) {
  const phone = knownAs.startsWith('+') ? knownAs : null;
  const firstname = profileName || username || phone || userId!;
  return { tenantId, phone, userId, username, firstname };
}
