import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Fault } from '../../platform/errors/fault.ts';
import type { Topic } from '../schema.ts';
import type { Payload } from './read-payload.ts';
import type { Reading, Unreadable } from './reading.ts';

/** A request of a store: its headers in lower case, and exactly the bytes that it signed. */
export type Post = { headers: IncomingHttpHeaders; body: Buffer };

/** Everything that Parley knows of a store platform. */
export type Platform = {
  /** The name that people see. */
  title: string;
  /** How to connect a store: what the owner does there, one step a sentence or two. */
  setUpSteps: readonly Fault[];
  /**
   * Where to find the secret, for a platform that signs with a secret of its own. Without this the owner
   * enters a secret in the store, which Parley can generate.
   */
  ownSecret?: Fault;
  /** Holds the HMAC-SHA256 of the body, in base64 unless there is `signatureToBase64`. */
  signatureHeader: string;
  signatureToBase64?(signature: string): string;
  /** The key that a secret signs with, if that is not the secret itself. */
  signingKey?(secret: string): string;
  /** Holds the topic as the platform names it. The header is not signed. */
  topicHeader: string;
  /** The headers with this prefix, in lower case, are stored with a post. The signature is not stored. */
  headerPrefix: string;
  /** Our topics by the platform's names. */
  topics: Readonly<Record<string, Topic>>;
  /** The topics whose payload never names a buyer, so that there is no phone. */
  withoutBuyer: readonly Topic[];
  /** Identifies a delivery within its topic. A second post with the same topic and name is a repeat. */
  deliveryName(post: Post, bodyHash: () => string): string;
  /** Whether an unsigned post is a connection test of the platform. It gets 200 and is not stored. */
  isPing?(post: Post): boolean;
  /** Reads a payload, if it is of the kind that the topic says. */
  read(topic: Topic, payload: Payload, headers: IncomingHttpHeaders): Reading | Unreadable;
  sample: PlatformSample;
};

/** Writes made-up posts as the platform would send them. */
export type PlatformSample = {
  /** A payload for the topic, in the platform's own JSON. */
  body(topic: Topic, facts: SampleFacts): string;
  /** The headers besides the signature and the topic. */
  headers(sentTopic: string, facts: SampleFacts): Record<string, string>;
};

/** The values that differ from one sample to the next. */
export type SampleFacts = { id: number; phone: string; country: string; at: Date };

/** Returns the signature that a post came with, in base64. */
export function sentSignatureOf(
  { signatureHeader, signatureToBase64 }: Platform,
  { headers }: Post,
): string | undefined {
  const signature = header(headers, signatureHeader);
  return signature && signatureToBase64 ? signatureToBase64(signature) : signature;
}

/** Signs a body with a secret, in base64. */
export function sign({ signingKey }: Platform, secret: string, body: Buffer): string {
  const key = signingKey ? signingKey(secret) : secret;
  return createHmac('sha256', key).update(body).digest('base64');
}

/** Returns the topic that a post came with, by the platform's name. */
export function sentTopicOf(
  { topicHeader }: Platform,
  { headers }: Pick<Post, 'headers'>,
): string | undefined {
  return header(headers, topicHeader);
}

/** Returns a header that was sent once and is not empty. */
export function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
