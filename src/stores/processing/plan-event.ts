import type { KnownContact } from '../../contacts/writing/known-contact.ts';
import { hasMoreValues } from '../../platform/http/count-values.ts';
import { type PlatformName, platforms } from '../platforms/platforms.ts';
import { type Payload, readPayload, textAt } from '../platforms/read-payload.ts';
import type { Buyer, ResourceKind } from '../platforms/reading.ts';
import type { Topic, TopicAction } from '../schema.ts';
import { fillFields } from './fill-fields.ts';
import { findPhone } from './find-phone.ts';

/** Twice as many as orders with hundreds of lines have; reading more keeps everybody waiting. */
const mostValues = 100_000;

/** What is known of an event before it is processed. */
export type EventFacts = {
  platform: PlatformName;
  /** Of the store, for phones that come without one. */
  country: string | null;
  topic: Topic | null;
  sentTopic: string | undefined;
  body: Buffer;
};

/** A message that an event makes. */
export type PlannedMessage = {
  phone: string;
  name: string;
  language: string;
  fields: Map<number, string>;
  headerMediaUrl?: string;
  /** What the payload lacks for it, so that it cannot be sent. */
  lacking?: string;
};

/** What a payload is about, as far as it bears on the order of events. */
export type PlannedResource = {
  kind: ResourceKind;
  id: string;
  changedAt: Date | undefined;
  created: boolean;
  deleted: boolean;
};

/** An event that ends here, with the reason; a failure is the store's own and stays one. */
export type Ended = {
  state: 'nothing_to_do' | 'skipped' | 'failed';
  reason: string;
  /** To be noted, so that an older event of it that comes later is known to be older. */
  resource?: PlannedResource;
};

/** What an event asks for. */
export type Plan = {
  state: 'to_do';
  resource: PlannedResource;
  contact?: KnownContact;
  message?: PlannedMessage;
};

/**
 * What is to be done about an event, found out without doing any of it.
 *
 * @param action what the tenant wants done for the event's topic
 */
export function planEvent(facts: EventFacts, action: TopicAction | undefined): Plan | Ended {
  const { topic } = facts;
  if (topic === null || !action) return skipped(unknownTopic(facts.sentTopic));
  if (hasMoreValues(facts.body, mostValues)) return skipped('The body has too many values.');
  const payload = readPayload(facts.body);
  if (!payload) return skipped('The body is not a JSON object.');
  const reading = platforms[facts.platform].read(topic, payload);
  if ('state' in reading) return reading;

  const { kind, id, changedAt, buyer } = reading;
  const created = topic.endsWith('.created');
  const resource = { kind, id, changedAt, created, deleted: topic === 'order.deleted' };
  const wantsContact = action.contact.mode === 'upsert';
  if (!wantsContact && !action.template) {
    const reason = `Nothing is set to happen for ${topic}.`;
    return { state: 'nothing_to_do', reason, ...(kind === 'order' ? { resource } : {}) };
  }
  const found = findPhone(buyer.phones, facts.country);
  if ('reason' in found) return { ...skipped(found.reason), resource };
  const message = action.template && planMessage(found.phone, action.template, payload);
  if (message?.lacking && !wantsContact) return { ...skipped(message.lacking), resource };
  return {
    state: 'to_do',
    resource,
    ...(wantsContact ? { contact: contactOf(found.phone, buyer, action) } : {}),
    ...(message ? { message } : {}),
  };
}

function contactOf(phone: string, buyer: Buyer, { contact }: TopicAction): KnownContact {
  const { firstname, lastname, email, company, city } = buyer;
  return {
    phone,
    // A last name alone is better than no name.
    firstname: firstname ?? lastname,
    lastname: firstname === undefined ? undefined : lastname,
    email,
    company,
    city,
    source_id: contact.source_id,
    group_ids: contact.group_ids,
  };
}

function planMessage(
  phone: string,
  template: NonNullable<TopicAction['template']>,
  payload: Payload,
): PlannedMessage {
  const { name, language, header_media_path: mediaPath } = template;
  const { fields, empty } = fillFields(payload, template.fields, language);
  const headerMediaUrl = mediaPath === undefined ? undefined : textAt(payload, mediaPath);
  if (mediaPath !== undefined && headerMediaUrl === undefined) empty.push(mediaPath);
  const lacking = empty.includes('')
    ? // Of a draft; what is set has them all.
      'Not every field has a path yet.'
    : `The payload has nothing at ${empty.join(', ')}, and no default is set.`;
  return {
    phone,
    name,
    language,
    fields,
    ...(headerMediaUrl ? { headerMediaUrl } : {}),
    ...(empty.length > 0 ? { lacking } : {}),
  };
}

function unknownTopic(sent: string | undefined): string {
  return sent === undefined
    ? 'The store named no topic.'
    : `"${sent.slice(0, 60)}" is no topic that is handled.`;
}

function skipped(reason: string): Ended {
  return { state: 'skipped', reason };
}
