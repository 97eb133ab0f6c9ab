import { eventIdOf } from '../events/event-id.ts';

/** The parts of a `webhook-id`. */
type Identified = { id: number; event_id: number | null; created_at: Date };

/**
 * Builds the id by which receivers recognize an event. Test events, and events of earlier versions, have the id of
 * their delivery.
 */
export function webhookId({ id, event_id, created_at }: Identified): string {
  if (event_id !== null) return eventIdOf({ id: event_id, createdAt: created_at });
  return `msg_${id}_${created_at.getTime().toString(36)}`;
}

/** A delivery by its number, or by its `webhook-id`. */
export type DeliveryId = {
  id?: number | undefined;
  eventId?: number | undefined;
  /** The time in a `webhook-id`, when the event was recorded, in milliseconds since 1970. */
  recordedMs?: number | undefined;
};

/** Parses the number of a delivery or its `webhook-id`; undefined if the text is neither. */
export function readDeliveryId(text: string): DeliveryId | undefined {
  const [, kind, number, time] =
    /^(?:(msg|evt)_)?(\d{1,15})(?:_([0-9a-z]{1,9}))?$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  // Events are found by their time.
  if (kind === 'evt' && time === undefined) return undefined;
  return {
    ...(kind === 'evt' ? { eventId: Number(number) } : { id: Number(number) }),
    ...(time && { recordedMs: Number.parseInt(time, 36) }),
  };
}
