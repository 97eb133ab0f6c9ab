const keys = new WeakMap<Response, string>();

/** Keeps the key with which a response was got. */
export function rememberKey(response: Response, key: string): void {
  keys.set(response, key);
}

/**
 * Returns the Idempotency-Key of the request of a `POST`, which was random unless you set one. A repeat of the
 * request with the same key does not send again.
 *
 * @param response that of the result: `const { error, response } = await parley.POST(...)`
 */
export function idempotencyKeyOf(response: Response): string | undefined {
  return keys.get(response);
}
