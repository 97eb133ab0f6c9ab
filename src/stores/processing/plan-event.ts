import type { IncomingHttpHeaders } from 'node:http';
import type { KnownContact } from '../../contacts/writing/known-contact.ts';
import type { MergeMode } from '../../contacts/writing/merge-contact.ts';
import { type Fault, fault } from '../../platform/errors/fault.ts';
import { hasMoreValues } from '../../platform/http/bodies/count-values.ts';
import type { Buyer } from '../platforms/buyer.ts';
import { type PlatformName, platforms } from '../platforms/platforms.ts';
import { type Payload, readPayload, textsAt } from '../platforms/read-payload.ts';
import type { Reading } from '../platforms/reading.ts';
import type { ContactMode, Topic, TopicAction } from '../schema.ts';
import { unmet } from './condition.ts';
import { buyerFields, fillFields } from './fill-fields.ts';
import { findPhone } from './find-phone.ts';

/** An order with hundreds of lines has half of this. Reading more would block other requests. */
const maxValues = 100_000;

/** The facts of an event before it is processed. */
export type EventFacts = {
  platform: PlatformName;
  /** The store's country, for phones without a country code. */
  country: string | null;
  topic: Topic | null;
  sentTopic: string | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
};

/** The message of an event. */
export type PlannedMessage = {
  phone: string;
  name: string;
  language: string;
  fields: Map<number, string>;
  headerMediaUrl?: string;
  /** The reason why it is not to be sent: the payload does not meet the tenant's condition. */
  withheld?: Fault;
  /** The reason why it cannot be sent: the payload lacks a value. */
  lacking?: Fault;
};

/** The resource of a payload, as far as the order of events depends on it. */
export type PlannedResource = Omit<Reading, 'buyer'> & {
  created: boolean;
  deleted: boolean;
};

/** An event with nothing to do, and the reason. A failure is the store's fault and is not retried. */
export type Ended = {
  state: 'nothing_to_do' | 'skipped' | 'failed';
  reason: Fault;
  /** Recorded, so that an older event of the resource that arrives later is recognised as older. */
  resource?: PlannedResource;
  /** The buyer's phone, if it was read. */
  phone?: string;
};

/** The actions that an event asks for. */
export type Plan = {
  state: 'to_do';
  resource: PlannedResource;
  phone: string;
  /** The values that template fields can take from the buyer, by path. */
  buyer: Record<string, string>;
  contact?: { mode: MergeMode; known: KnownContact };
  message?: PlannedMessage;
};

/**
 * Plans the actions for an event, without any effect.
 *
 * @param action the tenant's action for the event's topic
 */
export function planEvent(facts: EventFacts, action: TopicAction | undefined): Plan | Ended {
  const { topic } = facts;
  if (topic === null || !action) return skipped(unknownTopic(facts.sentTopic));
  if (hasMoreValues(facts.body, maxValues)) return skipped(tooManyValues);
  const payload = readPayload(facts.body);
  if (!payload) return skipped(fault('post_not_object', 'The body is not a JSON object.'));
  const reading = platforms[facts.platform].read(topic, payload, facts.headers);
  if ('state' in reading) return reading;

  const { buyer, ...identity } = reading;
  const { kind } = identity;
  const created = topic.endsWith('.created');
  const resource = { ...identity, created, deleted: topic === 'order.deleted' };
  const mode = mergeModeFor(action.contact.mode, buyer);
  if (!mode && !action.template) {
    const reason = fault('nothing_set', 'Nothing is set to happen for {topic}.', { topic });
    return { state: 'nothing_to_do', reason, ...(kind === 'order' ? { resource } : {}) };
  }
  const found = findPhone(buyer, facts.country);
  if ('reason' in found) return { ...skipped(found.reason), resource };
  const known = contactOf(found.phone, buyer, action);
  const fields = buyerFields(payload, known);
  const message =
    action.template && planMessage(found.phone, action.template, { ...payload, ...fields });
  if (message?.lacking && !message.withheld && !mode) {
    return { ...skipped(message.lacking), resource, phone: found.phone };
  }
  return {
    state: 'to_do',
    resource,
    phone: found.phone,
    buyer: fields.buyer ?? {},
    ...(mode ? { contact: { mode, known } } : {}),
    ...(message ? { message } : {}),
  };
}

/** By default the data of a guest replace nothing, because nothing proves that they are the guest's own. */
function mergeModeFor(mode: ContactMode, { isGuest }: Buyer): MergeMode | undefined {
  if (mode === 'none') return undefined;
  if (mode === 'automatic') return isGuest ? 'fill' : 'upsert';
  return mode;
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
  const { name, language, header_media_path: mediaPath, only_if: condition } = template;
  const withheld = condition && unmet(condition, payload);
  const { fields, empty } = fillFields(payload, template.fields, language);
  const headerMediaUrl = mediaPath === undefined ? undefined : textsAt(payload, mediaPath)[0];
  if (mediaPath !== undefined && headerMediaUrl === undefined) empty.push(mediaPath);
  const lacking = lackingOf(empty);
  return {
    phone,
    name,
    language,
    fields,
    ...(headerMediaUrl ? { headerMediaUrl } : {}),
    ...(withheld ? { withheld } : {}),
    ...(lacking ? { lacking } : {}),
  };
}

/** @param empty the paths of the fields without a value */
function lackingOf(empty: string[]): Fault | undefined {
  if (empty.length === 0) return undefined;
  // Only a draft has such fields.
  if (empty.includes('')) return fault('fields_without_path', 'Some fields have no path yet.');
  return fault(
    'payload_lacks_values',
    'The payload has nothing at {paths}, and no default is set.',
    {
      paths: empty.join(', '),
    },
  );
}

function unknownTopic(sent: string | undefined): Fault {
  return sent === undefined
    ? fault('post_without_topic', 'The post has no topic.')
    : fault('unknown_topic', 'Parley does not handle the topic "{topic}".', {
        topic: sent.slice(0, 60),
      });
}

const tooManyValues = fault('post_too_many_values', 'The body has too many values.');

function skipped(reason: Fault): Ended {
  return { state: 'skipped', reason };
}
