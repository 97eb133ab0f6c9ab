import { isLostReference } from '../../platform/database/is-lost-reference.ts';

/**
 * Does a write that looked at its labels once more where one of them went between the look and the
 * write: the second look sees that it is gone, and says so.
 */
export async function retryLostLabel<Result>(write: () => Promise<Result>): Promise<Result> {
  return write().catch((error) => {
    if (isLostReference(error)) return write();
    throw error;
  });
}
