import type { Static } from 'typebox';
import { codeOf } from '../../platform/errors/fault.ts';
import { userIdOf } from '../../platform/values/phones/recipient.ts';
import { failureSentence, presentFailure } from '../failure-message.ts';
import type { RecordRow } from './listing/find-records.ts';
import { presentContent } from './present-content.ts';
import type { CodedMessageRecord, MessageRecord, RecordStatus } from './record-schema.ts';

/** A state that a message reached, and when. */
type Reached = { status: RecordStatus; at: Date };

/** How far a message has got with each status, so that what came later can be left out. */
const ranks: Record<RecordStatus, number> = {
  unknown: 0,
  received: 0,
  sent: 1,
  failed: 2,
  delivered: 3,
  read: 4,
};

/**
 * Presents the record of a message, in the form of the API and its events.
 *
 * @param reached presents the message as it was when it had just reached this status: without what came later
 */
export function presentRecord(row: RecordRow, reached?: Reached): MessageRecord {
  // A message that is being sent has no outcome yet either.
  const now = row.status === 'accepting' ? 'unknown' : row.status;
  const status = reached?.status ?? now;
  const timeOf = (each: 'sent' | 'delivered' | 'read' | 'failed') => {
    if (ranks[each] > ranks[status]) return null;
    const time = row[`${each}_at`] ?? (reached?.status === each ? reached.at : null);
    return time?.toISOString() ?? null;
  };
  return {
    id: row.id,
    message_id: row.network_id,
    direction: row.direction,
    type: row.kind,
    status,
    phone_number: phoneOf(row),
    user_id: userIdOf(row.identity) ?? row.contact_user_id,
    contact_id: row.contact_id,
    number: {
      phone_number_id: row.phone_number_id,
      display_phone_number: row.display_phone_number,
    },
    reference: row.reference,
    cause: causeOf(row),
    content: presentContent(row),
    reply_to: typeof row.content.reply_to === 'string' ? row.content.reply_to : null,
    error: status === 'failed' && row.error ? presentFailure(row.error) : null,
    // The network reports a price when it accepts a message, and bills it when it is delivered.
    pricing: row.pricing && status === 'failed' ? { ...row.pricing, billable: false } : row.pricing,
    created_at: row.created_at.toISOString(),
    sent_at: timeOf('sent'),
    delivered_at: timeOf('delivered'),
    read_at: timeOf('read'),
    // A message that was delivered after all has not failed.
    failed_at: status === 'failed' ? timeOf('failed') : null,
  };
}

/** Presents the record of a message for our own pages, which name the person and word its failure themselves. */
export function presentCodedRecord(row: RecordRow): CodedMessageRecord {
  const { error, ...record } = presentRecord(row);
  const coded = error &&
    row.error && { ...error, message_says: codeOf(failureSentence(row.error)) };
  return { ...record, contact_name: row.contact_name, error: coded };
}

/** The phone that is known by now, although the network may have hidden it in this message. */
function phoneOf({ identity, person, contact_phone }: RecordRow): string | null {
  return [identity, person].find((each) => each.startsWith('+')) ?? contact_phone;
}

function causeOf(row: RecordRow): Static<typeof MessageRecord>['cause'] {
  const { cause, cause_id: id, cause_name: name, token_id: tokenId } = row;
  if (cause === 'member') return { kind: cause, id, name };
  if (cause !== null) return { kind: cause, id: id === null ? null : Number(id), name };
  // Older versions did not store which member, bot or store it was.
  if (tokenId === null) return null;
  return row.is_internal
    ? { kind: 'member', id: null, name: null }
    : { kind: 'api', id: tokenId, name };
}
