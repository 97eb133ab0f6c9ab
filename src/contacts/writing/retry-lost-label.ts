import { isLostReference } from '../../platform/database/is-lost-reference.ts';

/**
 * Repeats a write that checked its labels, if one of them was deleted between the check and the write. The
 * second check reports it as unknown.
 */
export async function retryLostLabel<Result>(write: () => Promise<Result>): Promise<Result> {
  return write().catch((error) => {
    if (isLostReference(error)) return write();
    throw error;
  });
}
