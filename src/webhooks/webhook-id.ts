/**
 * What receivers know a delivery by: the same on every try and redelivery. The moment is part of
 * it, so that no id comes twice even when a restored backup hands out the same numbers again.
 */
export function webhookId(delivery: { id: number; created_at: Date }): string {
  return `msg_${delivery.id}_${delivery.created_at.getTime().toString(36)}`;
}

/** The number of a delivery, from that number itself or from its `webhook-id`. */
export function deliveryNumber(text: string): number | undefined {
  const digits = /^(?:msg_)?(\d{1,15})(?:_[0-9a-z]+)?$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
