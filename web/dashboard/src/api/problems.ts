import { Problem, Unreachable } from '../../../parts/behaviour/problem.ts';
import { common } from '../../../texts/common.ts';
import type { Coded } from '../../../texts/faults.ts';

/** The code of a page could not be loaded: the service is away, or has a later dashboard with other files. */
export class PageNotLoaded extends Unreachable {}

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

/** The body of a refusal. `says` and `faults` have the codes of the texts in `message` and `errors`. */
type RefusalBody = {
  message?: string;
  errors?: Record<string, string[]>;
  code?: string;
  says?: Coded;
  faults?: Record<string, Coded[]>;
};

/**
 * The problem of a refused call, by the body of the response. The wording is ours; the service's own texts are for
 * programs, and stand in for a code that has no wording. After a fault of the service, the text has the id of the
 * request, by which an operator finds it in the log.
 */
export async function problemOf({ status, headers }: Response, body: unknown): Promise<Problem> {
  const refusal = refusals[status];
  if (refusal) for (const listener of refusalListeners) listener(refusal);
  const isObject = typeof body === 'object' && body !== null;
  const { message, errors = {}, code, says, faults = {} }: RefusalBody = isObject ? body : {};
  const wordings = await loadWordings();
  const summary = says ?? (code === undefined ? undefined : { code });
  const text = (summary && wordings?.faultText(summary)) ?? message ?? common('unreachable');
  const ofFields = Object.entries(errors).map(([field, texts]) => [
    field,
    texts.map((each, index) => {
      const coded = faults[field]?.[index];
      return (coded && wordings?.faultText(coded)) ?? sentence(each);
    }),
  ]);
  const requestId = status >= 500 ? headers.get('x-request-id') : null;
  const full =
    requestId === null || text.includes(requestId)
      ? text
      : common('withRequest', { text, id: requestId });
  return new Problem(status, full, Object.fromEntries(ofFields), code);
}

/** Whether the action may have been carried out nevertheless, because the response was lost or unclear. */
export function mayBeDone(error: unknown): boolean {
  return error instanceof Problem && (error.status === 0 || error.status >= 500);
}

/** The wordings are in a file of their own, because most pages never need them. */
function loadWordings() {
  return import('../../../texts/faults.ts').catch(() => undefined);
}

/** A text of the service about a field as a sentence of its own. */
function sentence(text: string): string {
  const end = /[.?!]$/.test(text) ? '' : '.';
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`;
}
