/**
 * Builds the id of an event, which is `webhook-id` of its deliveries: the same at every endpoint, on every attempt
 * and in the log. It contains the time, so that ids stay unique even if a restored backup reuses numbers.
 */
export function eventIdOf({ id, createdAt }: { id: number; createdAt: Date }): string {
  return `evt_${id}_${createdAt.getTime().toString(36)}`;
}
