const foreignKeyViolation = '23503';

/**
 * Does a write that looked at its labels once more where one of them went between the look and the
 * write: the second look sees that it is gone, and says so.
 */
export async function retryLostLabel<Result>(write: () => Promise<Result>): Promise<Result> {
  return write().catch((error: { code?: string }) => {
    if (error.code === foreignKeyViolation) return write();
    throw error;
  });
}
