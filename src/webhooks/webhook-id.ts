/**
 * Builds the id by which receivers recognize a delivery: the same on every attempt and redelivery. It contains
 * the time, so that ids stay unique even if a restored backup reuses numbers.
 */
export function webhookId(delivery: { id: number; created_at: Date }): string {
  return `msg_${delivery.id}_${delivery.created_at.getTime().toString(36)}`;
}

/** A delivery by its number, or by its number and time. */
export type DeliveryId = {
  id: number;
  /** The time in a `webhook-id`, when the delivery was recorded, in milliseconds since 1970. */
  recordedMs?: number;
};

/** Parses the number of a delivery or its `webhook-id`; undefined if the text is neither. */
export function readDeliveryId(text: string): DeliveryId | undefined {
  const [, id, time] = /^(?:msg_)?(\d{1,15})(?:_([0-9a-z]{1,9}))?$/.exec(text) ?? [];
  if (id === undefined) return undefined;
  return { id: Number(id), ...(time && { recordedMs: Number.parseInt(time, 36) }) };
}
