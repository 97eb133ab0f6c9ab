import { randomInt } from 'node:crypto';
import { header, type Post, sign } from '../platforms/platform.ts';
import { platforms } from '../platforms/platforms.ts';
import type { StoreAuthentication, Topic } from '../schema.ts';
import type { StoreKeys } from '../setup/store-keys.ts';

/**
 * Makes a post as the store would send it: a made-up payload for the topic, in the platform's own bytes,
 * signed and authenticated with the store's keys. Every post is different.
 *
 * @param phone as a buyer would type it; by default an American number that is reserved for fiction
 */
export function samplePost(
  { platform: name, secret, authentication }: StoreKeys,
  topic: Topic,
  { phone = '(415) 555-0132', country = 'US' }: { phone?: string; country?: string } = {},
): Post {
  const platform = platforms[name];
  const facts = {
    id: randomInt(5_000_000_000, 9_000_000_000),
    phone,
    country,
    at: new Date(),
  };
  const sentTopic = Object.entries(platform.topics).find(([, each]) => each === topic)![0];
  const body = Buffer.from(platform.sample.body(topic, facts));
  const headers = {
    'content-type': 'application/json',
    'x-parley-sample': 'true',
    ...platform.sample.headers(sentTopic, facts),
    [platform.topicHeader.toLowerCase()]: sentTopic,
    [platform.signatureHeader.toLowerCase()]: sign(platform, secret ?? '', body),
    ...authenticationHeaders(authentication),
  };
  return { headers, body };
}

/** Returns whether the headers of a stored event are those of a `samplePost`. */
export function isSample(headers: Post['headers']): boolean {
  return header(headers, 'x-parley-sample') === 'true';
}

function authenticationHeaders(authentication: StoreAuthentication | undefined) {
  if (!authentication) return {};
  if (authentication.type === 'header') {
    return { [authentication.name.toLowerCase()]: authentication.value };
  }
  const { username, password } = authentication;
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}
