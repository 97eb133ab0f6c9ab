import { type Fault, fault } from '../../platform/errors/fault.ts';
import type { Topic } from '../schema.ts';
import type { Buyer } from './buyer.ts';

export type ResourceKind = 'order' | 'product' | 'customer';

/** The resource and the buyer of a payload. */
export type Reading = {
  kind: ResourceKind;
  /** The id as the store wrote it. */
  id: string;
  /** The shop, where ids are only unique within one, and several can post to one address. */
  shop?: string | undefined;
  /** A random text that the shop gives to each order, and never to another one. */
  key?: string | undefined;
  /** The number of an order as people know it, if that is not the id. */
  number?: string | undefined;
  /** The last change of the resource, by the store's clock. */
  changedAt: Date | undefined;
  buyer: Buyer;
};

/** The id of a resource among all that are posted to one address. */
export function resourceIdOf({ shop, id }: Pick<Reading, 'shop' | 'id'>): string {
  return shop === undefined ? id : `${shop} ${id}`;
}

/**
 * Why a payload cannot be read.
 * - skipped: it does not match the topic, which is not signed
 * - failed: the store sent an error instead of a resource
 */
export type Unreadable = { state: 'skipped' | 'failed'; reason: Fault };

export function kindOf(topic: Topic): ResourceKind {
  return topic.split('.')[0] as ResourceKind;
}

export function mismatch(topic: Topic): Unreadable {
  return skipped(fault('not_of_topic', 'The body does not match the topic {topic}.', { topic }));
}

export function skipped(reason: Fault): Unreadable {
  return { state: 'skipped', reason };
}

/**
 * Reads a time, as UTC if it has no time zone. Systems without a time write years before 1970 or after 9999,
 * which PostgreSQL does not always accept.
 */
export function readTime(text: string | undefined): Date | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) return undefined;
  const time = new Date(/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`);
  const year = time.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? time : undefined;
}
