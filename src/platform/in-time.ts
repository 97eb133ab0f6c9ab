/**
 * The result of some work, or a failure when that takes too long; the work itself goes on.
 *
 * @param tooLate the failure
 */
export async function inTime<Result>(
  work: Promise<Result>,
  withinMs: number,
  tooLate: () => Error,
): Promise<Result> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLate()), withinMs);
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
