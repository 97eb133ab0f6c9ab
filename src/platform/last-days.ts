const dayMs = 86_400_000;

/** The last so many days (UTC) as `2026-11-22`, the oldest first, up to the day of a moment. */
export function lastDays(count: number, upTo: Date): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(upTo.getTime() - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}
