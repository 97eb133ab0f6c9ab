import { type RequestCount, shareByToken, type TokenShare } from '../../limits/counted-minute.ts';

/** A send to be written down before the network is called. */
export type NewMessage = {
  tenantId: number;
  tokenId: number;
  requestsPerMinute: number;
  /** null is no limit. */
  messagesPerDay: number | null;
  numberId: number;
  phone: string;
  kind: string;
  content: object;
  /** The run of a request with an Idempotency-Key: it writes down one message, ever. */
  runId: number | null;
  /** The place of a request that was counted, and allowed, before. */
  counted: RequestCount | undefined;
};

export type WrittenDown = RequestCount & {
  /** null when the minute or the day of the token is used up: nothing was written. */
  id: number | null;
};

/** Of each token first the messages that were counted before: they pass the minute in any case. */
export function sharesOf(asked: NewMessage[]): TokenShare<NewMessage>[] {
  return shareByToken(asked.toSorted((a, b) => Number(isUncounted(a)) - Number(isUncounted(b))));
}

export function isUncounted({ counted }: NewMessage): boolean {
  return counted === undefined;
}
