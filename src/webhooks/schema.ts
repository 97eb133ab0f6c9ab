/** The types of the events that a tenant's webhook can receive (docs/spec.md, section 6.1). */
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

export type EventType = (typeof eventTypes)[number];

type SubjectOf<Type> = Type extends `${infer Subject}.${string}` ? Subject : never;
type VerbOf<Type> = Type extends `${string}.${infer Verb}` ? Verb : never;

/** The parts of an event type, such as `contact` and `created`. */
export type EventSubject = SubjectOf<EventType>;
export type EventVerb = VerbOf<EventType>;

export function isEventType(text: string): text is EventType {
  return (eventTypes as readonly string[]).includes(text);
}

/** The event types that a webhook receives; null for all, including those of later versions. */
export type EventChoice = EventType[] | null;

/** Returns the types of a choice. */
export function typesOf(choice: EventChoice): EventType[] {
  return choice ?? [...eventTypes];
}

/** The event that "send a test event" sends. It is attempted once. */
export const testEvent = 'webhook.test';
