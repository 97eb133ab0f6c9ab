const foreignKeyViolation = '23503';

/** Whether a write failed as a row that it refers to is gone. */
export function isLostReference(error: unknown): boolean {
  return (error as { code?: string }).code === foreignKeyViolation;
}
