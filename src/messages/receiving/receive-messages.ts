import { addUnknownContacts } from '../../contacts/writing/add-unknown-contacts.ts';
import { updateUsernames } from '../../contacts/writing/update-usernames.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { createFairBatch, isLongList } from '../../platform/database/fair-batching.ts';
import {
  type AttestedLink,
  keyOfLink,
  linkIdentities,
  linkNewUserIds,
} from '../identities/link-identities.ts';
import { isUserMessage } from './find-user-message.ts';
import { type IncomingMessage, insertReceived, type ReceivedMessage } from './insert-received.ts';

/** The messages of a callback. `areLinked`: the identities that they name have been linked before. */
type ReceivedList = { messages: IncomingMessage[]; areLinked: boolean };

export type MessageReceiver = ReturnType<typeof createMessageReceiver>;

/**
 * Stores inbound messages and their consequences, in one transaction per batch. Conversations that they make one are
 * merged before, because that can take many seconds. The network may repeat a message; it is stored once.
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
  const receive = createFairBatch<ReceivedList, IncomingMessage[] | undefined>({
    lanes: db.lanes.fairTransaction,
    run: async (lists) => {
      const work = async (tx: Db) => {
        const links = lists.map(({ messages, areLinked }) =>
          areLinked ? [] : messages.flatMap(linksOf),
        );
        const unlinked = new Set((await linkNewUserIds(tx, links.flat())).map(keyOfLink));
        const isLeft = links.map((list) => list.some((link) => unlinked.has(keyOfLink(link))));
        const received = await insertReceived(
          tx,
          lists.flatMap(({ messages }, index) => (isLeft[index] ? [] : messages)),
        );
        if (received.length > 0) await addConsequences(tx, received);
        return { isLeft, received };
      };
      const { isLeft, received } = await db.fairTransaction(work);
      const unclaimed = new Set(received.map(keyOf));
      return lists.map(({ messages }, index) =>
        isLeft[index] ? undefined : messages.filter((message) => unclaimed.delete(keyOf(message))),
      );
    },
    maxSize: 50,
    tenantOf: ({ messages: [first] }) => first!.tenantId,
    isLong: ({ messages }) => isLongList(messages),
  });

  /** @returns the new messages */
  return async (messages: IncomingMessage[]): Promise<IncomingMessage[]> => {
    const received = await receive({ messages, areLinked: false });
    if (received) return received;
    await linkIdentities(db, messages.flatMap(linksOf));
    return (await receive({ messages, areLinked: true }))!;
  };

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
