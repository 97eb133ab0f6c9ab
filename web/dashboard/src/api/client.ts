/** The HTTP calls of the dashboard. `live.ts` beside it has the one stream. */

import { Problem } from '../../../parts/problem.ts';
import { type LiveListener, listenLive } from './live.ts';

const unreachable = 'The service cannot be reached. Look at your connection and try again.';

const outcomeUnknown =
  'The network did not answer, so the message may have been sent. Look at the conversation before you send it again.';

/** The code of a page did not come: the service is away, or has a later dashboard with other files. */
export class PageNotLoaded extends Problem {
  constructor(cause: unknown) {
    super(0, unreachable);
    this.cause = cause;
  }
}

export type Page<Row> = {
  data: Row[];
  pagination: {
    page: number;
    per_page: number;
    total: number;
    total_pages: number;
    /** There are more than the total says. */
    more?: boolean;
  };
};

type Query = Record<string, string | number | boolean | null | undefined>;

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

/** Calls of one tenant's dashboard; paths start after the tenant. */
export function tenantApi(tenant: string) {
  const base = `/dashboard-api/${encodeURIComponent(tenant)}`;
  return {
    get: <Data>(path: string, query?: Query) =>
      request<{ data: Data }>('GET', `${base}${path}${queryText(query)}`).then(({ data }) => data),
    page: <Row>(path: string, query?: Query) =>
      request<Page<Row>>('GET', `${base}${path}${queryText(query)}`),
    post: <Data = undefined>(path: string, body: object = {}) =>
      request<{ data: Data }>('POST', `${base}${path}`, body).then(({ data }) => data),
    put: <Data = undefined>(path: string, body: object = {}) =>
      request<{ data: Data }>('PUT', `${base}${path}`, body).then(({ data }) => data),
    delete: <Data = undefined>(path: string) =>
      request<{ data: Data }>('DELETE', `${base}${path}`).then(({ data }) => data),
    /** Sends a CSV file as it is. */
    upload: <Data>(path: string, file: File) =>
      request<{ data: Data }>(
        'POST',
        `${base}${path}${queryText({ filename: file.name })}`,
        file,
      ).then(({ data }) => data),
    /** The address of a file, for an image or a link. */
    address: (path: string, query?: Query) => `${base}${path}${queryText(query)}`,
    live: (person: string, listener: LiveListener) => listenLive(`${base}/live`, person, listener),
  };
}

export const auth = {
  get: <Data>(path: string) =>
    request<{ data: Data }>('GET', `/auth${path}`).then(({ data }) => data),
  post: <Data>(path: string, body: object = {}) =>
    request<{ data: Data }>('POST', `/auth${path}`, body).then(({ data }) => data),
};

/**
 * Asks for the page that the dashboard begins with.
 *
 * @returns whether the service answers, and with a later dashboard than the one that is open
 */
export async function askForDashboard(): Promise<{ answers: boolean; isLater: boolean }> {
  const answer = await fetch('/', { cache: 'no-store' }).catch(() => null);
  if (!answer?.ok) return { answers: false, isLater: false };
  const open = document.querySelector('script[type=module]')?.getAttribute('src') ?? '';
  return { answers: true, isLater: !(await answer.text()).includes(open) };
}

const longestAnswerMs = 120_000;

async function request<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: body ? { 'content-type': body instanceof File ? 'text/csv' : 'application/json' } : {},
    body: body instanceof File ? body : body && JSON.stringify(body),
    // A form waits for its answer, and nothing but a large file takes so long.
    signal: body instanceof File ? null : AbortSignal.timeout(longestAnswerMs),
  }).catch(() => {
    throw new Problem(0, unreachable);
  });
  const answer = (await response.json().catch(() => null)) as
    | ({ message?: string; errors?: Record<string, string[]>; code?: string } & Answer)
    | null;
  if (response.ok && answer) return answer;
  const refusal = refusals[response.status];
  if (refusal) for (const listener of refusalListeners) listener(refusal);
  // The service's own message is for programs.
  const message = answer?.code === 'outcome_unknown' ? outcomeUnknown : answer?.message;
  throw new Problem(response.status, message ?? unreachable, answer?.errors);
}

function queryText(query: Query = {}): string {
  const entries = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  if (entries.length === 0) return '';
  return `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}
