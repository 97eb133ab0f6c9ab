import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Topic } from '../schema.ts';
import type { Payload } from './read-payload.ts';
import type { Reading, Unreadable } from './reading.ts';

/** What a store sent: its headers in lower case, and exactly the bytes that it signed. */
export type Post = { headers: IncomingHttpHeaders; body: Buffer };

/** How a store platform speaks in its headers. */
export type Platform = {
  /** The base64 HMAC-SHA256 of the body, as the platform sent it. */
  signature(headers: IncomingHttpHeaders): string | undefined;
  /** The key that a secret signs with. */
  signingKey(secret: string): string;
  /** The topic as the platform names it; the header is not signed. */
  sentTopic(headers: IncomingHttpHeaders): string | undefined;
  topics: Readonly<Record<string, Topic>>;
  /** Those whose payload never names a buyer, so that there is no phone. */
  withoutBuyer: readonly Topic[];
  /** Names the delivery apart from its topic: two posts with the same name and topic are one. */
  deliveryName(post: Post, bodyHash: () => string): string;
  /** A sign of life that is not signed, proves nothing, and is answered 200 all the same. */
  isPing(post: Post): boolean;
  /** What a payload is about, when it is what the topic says. */
  read(topic: Topic, payload: Payload): Reading | Unreadable;
};

/** The signature that a secret makes of a body, in base64. */
export function sign({ signingKey }: Platform, secret: string, body: Buffer): string {
  return createHmac('sha256', signingKey(secret)).update(body).digest('base64');
}

/** A header that was sent once and is not empty. */
export function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
