/**
 * The events of the contract (docs/spec.md, section 6.1). An endpoint that has chosen no events receives these, and
 * never others, whatever is added.
 */
export const eventTypes = [
  'contact.created',
  'contact.read',
  'contact.updated',
  'contact.deleted',
  'status.created',
  'status.updated',
  'status.deleted',
  'source.created',
  'source.updated',
  'source.deleted',
] as const;

/** Further events. An endpoint receives them only if it has chosen them, by name or by family. */
export const optInEventTypes = [
  'message.received',
  'message.received_batch',
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'template.status_changed',
  'number.state_changed',
] as const;

export const allEventTypes = [...eventTypes, ...optInEventTypes] as const;

export type EventType = (typeof eventTypes)[number];
export type OptInEventType = (typeof optInEventTypes)[number];
export type AnyEventType = EventType | OptInEventType;

type SubjectOf<Type> = Type extends `${infer Subject}.${string}` ? Subject : never;
type VerbOf<Type> = Type extends `${string}.${infer Verb}` ? Verb : never;

/** The parts of an event type of the contract, such as `contact` and `created`. */
export type EventSubject = SubjectOf<EventType>;
export type EventVerb = VerbOf<EventType>;

/** All events with the same subject, including those of later versions. */
export type EventFamily = `${SubjectOf<AnyEventType>}.*`;

/** Returns the family of an event type: `message.*` for `message.sent`. */
export function familyOf(type: AnyEventType): EventFamily {
  return `${type.split('.')[0] as SubjectOf<AnyEventType>}.*`;
}

/** Every family, in the order of the events. */
export const eventFamilies: EventFamily[] = [...new Set(allEventTypes.map(familyOf))];

/** A choice of an endpoint or a reader of events: an event type or a family. */
export type EventSelector = AnyEventType | EventFamily;

/** Everything that can be chosen, in the order in which a choice is stored and shown. */
export const eventSelectors: EventSelector[] = [...allEventTypes, ...eventFamilies];

export function isEventSelector(text: string): text is EventSelector {
  return (eventSelectors as string[]).includes(text);
}

/** The events that an endpoint receives; null for the events of the contract. */
export type EventChoice = EventSelector[] | null;

/** Returns the event types and families of a choice. */
export function selectorsOf(choice: EventChoice): EventSelector[] {
  return choice ?? [...eventTypes];
}

/** The event that "send a test event" sends. It is attempted once. */
export const testEvent = 'webhook.test';
