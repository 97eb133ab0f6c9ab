const foreignKeyViolation = '23503';

/** Whether a write failed because a row that it refers to was deleted. */
export function isLostReference(error: unknown): boolean {
  return (error as { code?: string }).code === foreignKeyViolation;
}
