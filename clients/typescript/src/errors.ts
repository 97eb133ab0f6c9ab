import { statusMessage } from './complete-response.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import type { components } from './schema.ts';

type ErrorBody = components['schemas']['Error'];
export type ErrorCode = ErrorBody['code'];

/** The result of a call, as the client's methods return it. */
export type Result<Data> = { data?: Data; error?: unknown; response: Response };

/** A refused request, with what the service says about it. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  /** The HTTP status. */
  readonly status: number;
  /** What is wrong, for programs; undefined if the response is not from the service, but from a proxy. */
  readonly code: ErrorCode | undefined;
  /** What is wrong with each field. */
  readonly errors: Readonly<Record<string, string[]>>;
  /** What the code comes with, such as the id of a message whose outcome is unknown. */
  readonly data: ErrorBody['data'];
  /** Name it when you report a problem. */
  readonly requestId: string | undefined;
  /** The Idempotency-Key of a `POST`, with which you can repeat the request. */
  readonly idempotencyKey: string | undefined;

  constructor({ error, response }: Result<unknown>) {
    const body: Partial<ErrorBody> = typeof error === 'object' && error !== null ? error : {};
    super(body.message ?? statusMessage(response));
    this.status = response.status;
    this.code = body.code;
    this.errors = body.errors ?? {};
    this.data = body.data;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    this.idempotencyKey = idempotencyKeyOf(response);
  }
}

/**
 * Returns the body of a success.
 *
 * @throws ParleyError if the request was refused
 */
export function unwrap<Data>(result: Result<Data>): Data {
  if (result.data === undefined) throw new ParleyError(result);
  return result.data;
}
