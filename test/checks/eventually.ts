import { vi } from 'vitest';

/**
 * Waits until `look` returns a value. The test's own timeout ends the wait. It polls every few milliseconds
 * at first and less often later, so that it does not slow down what it waits for.
 */
export async function eventually<Value>(
  look: () => Promise<Value | undefined | false>,
): Promise<Value> {
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 1.2, 100)) {
    const value = await look();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/**
 * Waits until `check` no longer throws. After the timeout of `expect.poll` it throws the error of `check`.
 */
export function eventuallyHolds<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 10 });
}
