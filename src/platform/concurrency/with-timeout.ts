/**
 * Waits for `work` for at most `timeoutMs`. The work itself is not stopped.
 *
 * @param toError makes the error that is thrown after the timeout
 */
export async function withTimeout<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  toError: () => Error,
): Promise<Result> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(toError()), timeoutMs);
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
