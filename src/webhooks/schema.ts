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

export function isEventType(text: string): text is EventType {
  return (eventTypes as readonly string[]).includes(text);
}

/** What "send a test event" sends; no change of data has this name. It is tried once. */
export const testEvent = 'webhook.test';
