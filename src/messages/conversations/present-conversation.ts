import { findPeople } from '../../contacts/searching/find-people.ts';
import type { Db } from '../../platform/database/database.ts';
import { codeOf } from '../../platform/errors/fault.ts';
import { failureMessage, failureSentence } from '../failure-message.ts';
import type { Conversation, ConversationMessage } from './conversation-queries.ts';
import type { ConversationData, MessageData } from './dashboard-schema.ts';

/** Adds the names and labels of the contacts to conversations, in the form of the dashboard. */
export async function presentConversations(
  db: Db,
  tenantId: number,
  found: Conversation[],
): Promise<ConversationData[]> {
  const phones = found.map(({ phone }) => phone);
  const people = await findPeople(db, tenantId, phones);
  return found.map(({ phone, last, window_until, ...state }) => {
    const contact = people.get(phone);
    return {
      phone,
      ...presentPerson(contact),
      status_id: contact?.status_id ?? null,
      source_id: contact?.source_id ?? null,
      group_ids: contact?.group_ids ?? [],
      last: presentMessage(last),
      window_until: window_until?.toISOString() ?? null,
      ...state,
    };
  });
}

/** The contact of a conversation, in the form of the dashboard. */
export function presentPerson(person: { id: number; name: string } | undefined) {
  return { name: person?.name ?? null, contact_id: person?.id ?? null };
}

/** A message in the form of the dashboard. */
export function presentMessage(message: ConversationMessage): MessageData {
  const { id, network_id, direction, number_id, kind, cause, cause_id, content } = message;
  const { status, error } = message;
  const isoOrNull = (time: Date | null) => time?.toISOString() ?? null;
  return {
    id,
    network_id,
    direction,
    number_id,
    kind,
    cause,
    member: cause === 'member' ? cause_id : null,
    content,
    status,
    failure: error && {
      code: error.code,
      words: failureMessage(error),
      words_says: codeOf(failureSentence(error)),
      details: error.details,
    },
    created_at: message.created_at.toISOString(),
    sent_at: isoOrNull(message.sent_at),
    delivered_at: isoOrNull(message.delivered_at),
    read_at: isoOrNull(message.read_at),
    failed_at: isoOrNull(message.failed_at),
  };
}
