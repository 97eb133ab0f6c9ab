const dayMs = 86_400_000;

/** Lists `count` days (UTC) as `2026-11-22`, oldest first, up to and including the day of `upTo`. */
export function lastDays(count: number, upTo: Date): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(upTo.getTime() - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}
