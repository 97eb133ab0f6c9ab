/** A receiver cannot put a delivery off for longer than this. */
const longestRetryAfterMs = 24 * 60 * 60 * 1000;

/**
 * How long a failed delivery waits for its next try, in milliseconds; null when that was the last.
 * Up to a tenth is added by chance, so that what failed together does not come back together.
 *
 * @param scheduleSeconds the delay before each try, the first one included
 * @param tries how many were made, from 1
 * @param retryAfter the header of the answer, seconds or a date: it can only lengthen the wait
 */
export function retryDelayMs(
  scheduleSeconds: number[],
  tries: number,
  retryAfter?: string,
  now = new Date(),
): number | null {
  const seconds = scheduleSeconds[tries];
  if (seconds === undefined) return null;
  const scheduled = seconds * 1000 * (1 + Math.random() / 10);
  return Math.round(Math.max(scheduled, retryAfterMs(retryAfter, now)));
}

function retryAfterMs(header: string | undefined, now: Date): number {
  if (!header) return 0;
  const asked = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(asked, 0), longestRetryAfterMs);
}
