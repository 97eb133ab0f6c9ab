import { fromClock } from '../../../../texts/format.ts';
import type { OperationOf } from '../../api/call-types.ts';
import type { TenantPaths } from '../../api/schema.ts';
import { readClock, readText } from '../../shell/read-search.ts';

type Filter = NonNullable<OperationOf<TenantPaths, '/messages', 'get'>['parameters']['query']>;
type Status = NonNullable<Filter['status']>;
export type ErrorCode = NonNullable<Filter['error_code']>;
type Cause = NonNullable<Filter['cause']>;

export const statuses = [
  'failed',
  'unknown',
  'sent',
  'delivered',
  'read',
  'received',
] as const satisfies readonly Status[];

export const causes = ['api', 'member', 'bot', 'store', 'app'] as const satisfies readonly Cause[];

/** The search parameters of the page: the filter of the list. */
export type MessageSearch = {
  status?: Status | undefined;
  /** WhatsApp's code of the failure; `none` for failures without a code. */
  error_code?: ErrorCode | undefined;
  /** The network's id of a number. */
  number?: string | undefined;
  type?: string | undefined;
  cause?: Cause | undefined;
  /** The text that the sender gave the message. */
  reference?: string | undefined;
  /** Times of the clock in the region of the dashboard, such as `2026-11-25T09:05`. */
  since?: string | undefined;
  until?: string | undefined;
};

/** Omitted parameters are set to undefined, because the router would keep them. */
export function readMessageSearch(search: Record<string, unknown>): MessageSearch {
  return {
    status: statuses.find((each) => each === search.status),
    error_code: readErrorCode(search.error_code),
    number: readText(search.number),
    type: /^[a-z][a-z0-9_]{0,31}$/.exec(String(search.type ?? ''))?.[0],
    cause: causes.find((each) => each === search.cause),
    reference: readText(search.reference, 256),
    since: readClock(search.since),
    until: readClock(search.until),
  };
}

/** Reads an error code, in the address or as digits that are typed. */
export function readErrorCode(value: unknown): ErrorCode | undefined {
  const text = String(value ?? '').trim();
  if (text === 'none') return text;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

export function filterOf({ since, until, ...filter }: MessageSearch): Filter {
  return {
    ...filter,
    limit: 50,
    from_time: since && fromClock(since),
    to_time: until && fromClock(until),
  };
}
