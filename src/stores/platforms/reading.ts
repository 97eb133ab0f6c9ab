import type { TypedPhone } from '../processing/find-phone.ts';
import type { Topic } from '../schema.ts';

export type ResourceKind = 'order' | 'product' | 'customer';

/** The buyer in a payload, as far as it tells. */
export type Buyer = {
  firstname?: string;
  lastname?: string;
  email?: string;
  company?: string;
  city?: string;
  /** In the order in which they are to be tried. */
  phones: TypedPhone[];
};

/** What a payload is about. */
export type Reading = {
  kind: ResourceKind;
  /** As the store writes it. */
  id: string;
  /** When the resource was last changed, by the store's own account. */
  changedAt: Date | undefined;
  buyer: Buyer;
};

/**
 * Why a payload cannot be read as what its topic says.
 * - skipped: it is not what the topic says, which is not signed
 * - failed: the store sent an error in its place
 */
export type Unreadable = { state: 'skipped' | 'failed'; reason: string };

export function kindOf(topic: Topic): ResourceKind {
  return topic.split('.')[0] as ResourceKind;
}

export function notThe(topic: Topic, why?: string): Unreadable {
  const [kind, verb] = topic.split('.');
  const body = `The body is not that of ${article(kind!)} ${kind} ${verb}`;
  return { state: 'skipped', reason: why ? `${body}: ${why}.` : `${body}.` };
}

function article(noun: string): string {
  return noun === 'order' ? 'an' : 'a';
}

/**
 * A time, of UTC where it names no zone. A year before 1970 or after 9999 is what systems write that
 * know of no time, and PostgreSQL does not take all of them.
 */
export function readTime(text: string | undefined): Date | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) return undefined;
  const time = new Date(/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`);
  const year = time.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? time : undefined;
}
