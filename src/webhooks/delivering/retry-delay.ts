/** A receiver cannot postpone a delivery for longer than this. */
const maxRetryAfterMs = 24 * 60 * 60 * 1000;

/**
 * Returns how long a failed delivery waits for its next attempt, in milliseconds, or null after the last
 * attempt. Adds a random jitter of up to 10 %, so that deliveries that failed together do not retry together.
 *
 * @param scheduleSeconds the delay before each attempt, including the first one
 * @param tries how many attempts were made, from 1
 * @param retryAfter the header of the response, seconds or a date. It can only lengthen the wait.
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
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isNaN(waitMs) ? 0 : Math.min(Math.max(waitMs, 0), maxRetryAfterMs);
}
