/** A request without a response: the connection failed, and so did the retries. `cause` says how. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
  /** The key of a `POST`. The request may have been carried out: repeat it with this key. */
  readonly idempotencyKey: string | undefined;

  constructor(cause: unknown, idempotencyKey: string | undefined) {
    super(`No response: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.idempotencyKey = idempotencyKey;
  }
}
