import { Problem } from '../../../parts/problem.ts';
import { common } from '../../../texts/common.ts';

const outcomeUnknown =
  'The network did not answer, so the message may have been sent. Look at the conversation before you send it again.';

/** The code of a page did not come: the service is away, or has a later dashboard with other files. */
export class PageNotLoaded extends Problem {
  constructor(cause: unknown) {
    super(0, common('unreachable'));
    this.cause = cause;
  }
}

type Refusal = 'signed-out' | 'not-allowed' | 'nothing-there';
const refusals: Partial<Record<number, Refusal>> = {
  401: 'signed-out',
  403: 'not-allowed',
  404: 'nothing-there',
};
const refusalListeners = new Set<(refusal: Refusal) => void>();

/**
 * Calls `listener` when a call is answered as to somebody who is not signed in any more, or as to a
 * stranger or another role: there is nothing there, or nothing for that person.
 */
export function onRefusal(listener: (refusal: Refusal) => void): () => void {
  refusalListeners.add(listener);
  return () => refusalListeners.delete(listener);
}

/** The problem of a call that got no response. */
export function unreachable(cause: unknown): Problem {
  const problem = new Problem(0, common('unreachable'));
  problem.cause = cause;
  return problem;
}

/** The problem of a refused call, by the body of the response. */
export function problemOf(status: number, body: unknown): Problem {
  const refusal = refusals[status];
  if (refusal) for (const listener of refusalListeners) listener(refusal);
  const { message, errors, code } = (typeof body === 'object' && body !== null ? body : {}) as {
    message?: string;
    errors?: Record<string, string[]>;
    code?: string;
  };
  // The service's own message is for programs.
  const text = code === 'outcome_unknown' ? outcomeUnknown : message;
  return new Problem(status, text ?? common('unreachable'), errors);
}
