/**
 * What receivers know a delivery by: the same on every try and redelivery. The moment is part of
 * it, so that no id comes twice even when a restored backup hands out the same numbers again.
 */
export function webhookId(delivery: { id: number; created_at: Date }): string {
  return `msg_${delivery.id}_${delivery.created_at.getTime().toString(36)}`;
}

/** Which delivery somebody means. */
export type DeliveryId = {
  id: number;
  /** Of a `webhook-id`: the milliseconds since 1970 at which it must have been recorded. */
  recordedMs?: number;
};

/** A delivery by its number or its `webhook-id`; undefined when the text is neither. */
export function readDeliveryId(text: string): DeliveryId | undefined {
  const [, id, moment] = /^(?:msg_)?(\d{1,15})(?:_([0-9a-z]{1,9}))?$/.exec(text) ?? [];
  if (id === undefined) return undefined;
  return { id: Number(id), ...(moment && { recordedMs: Number.parseInt(moment, 36) }) };
}
