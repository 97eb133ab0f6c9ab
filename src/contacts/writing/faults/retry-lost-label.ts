import { isLostReference } from '../../../platform/database/failures/error-codes.ts';

/**
 * Repeats a write that checked its labels and external ids, if a label was deleted or an external id was taken
 * between the check and the write. The second check reports it.
 */
export async function retryLostLabel<Result>(write: () => Promise<Result>): Promise<Result> {
  return write().catch((error) => {
    if (isLostReference(error) || error.constraint === 'contacts_external_id') return write();
    throw error;
  });
}
