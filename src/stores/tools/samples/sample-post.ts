import { randomInt, randomUUID } from 'node:crypto';
import { header, type Post, sign } from '../../platforms/platform.ts';
import { type PlatformName, platforms } from '../../platforms/platforms.ts';
import type { StoreAuthentication, Topic } from '../../schema.ts';
import type { StoreKeys } from '../../store-keys.ts';
import { customSample } from './custom-sample.ts';
import type { SampleFacts } from './sample-facts.ts';
import { shopifySample } from './shopify-sample.ts';
import { woocommerceSample } from './woocommerce-sample.ts';

const samples = {
  woocommerce: woocommerceSample,
  shopify: shopifySample,
  custom: customSample,
} satisfies Record<PlatformName, (topic: Topic, facts: SampleFacts) => string>;

/**
 * A post as the store would send it, with a payload made up for the topic, in the platform's own
 * bytes, signed and authenticated as the store's keys ask. No two are alike.
 *
 * @param phone as a buyer would type it; by default an American number kept for fiction
 */
export function samplePost(
  { platform, secret, authentication }: StoreKeys,
  topic: Topic,
  { phone = '(415) 555-0132', country = 'US' }: { phone?: string; country?: string } = {},
): Post {
  const at = new Date();
  const facts = { id: randomInt(5_000_000_000, 9_000_000_000), phone, country, at };
  const sent = Object.entries(platforms[platform].topics).find(([, name]) => name === topic)![0];
  const json = samples[platform](topic, facts);
  const body = Buffer.from(platform === 'woocommerce' ? asPhp(json) : json);
  const signature = sign(platforms[platform], secret ?? '', body);
  const headers = {
    'content-type': 'application/json',
    'x-parley-sample': 'true',
    ...platformHeaders(platform, sent, signature, at),
    ...authenticationHeaders(authentication),
  };
  return { headers, body };
}

/** Whether a kept event came from `samplePost`. */
export function isSample(headers: Post['headers']): boolean {
  return header(headers, 'x-parley-sample') === 'true';
}

/** PHP's `json_encode` escapes slashes and everything beyond ASCII. */
export function asPhp(json: string): string {
  return json
    .replaceAll('/', '\\/')
    .replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

function platformHeaders(platform: PlatformName, topic: string, signature: string, at: Date) {
  const delivery = randomUUID();
  switch (platform) {
    case 'woocommerce': {
      const [resource, event] = topic.split('.') as [string, string];
      return {
        'x-wc-webhook-source': 'https://shop.example/',
        'x-wc-webhook-topic': topic,
        'x-wc-webhook-resource': resource,
        'x-wc-webhook-event': event,
        'x-wc-webhook-signature': signature,
        'x-wc-webhook-id': '1',
        'x-wc-webhook-delivery-id': delivery.replaceAll('-', ''),
      };
    }
    case 'shopify':
      return {
        'x-shopify-topic': topic,
        'x-shopify-hmac-sha256': signature,
        'x-shopify-shop-domain': 'sample.myshopify.com',
        'x-shopify-webhook-id': delivery,
        'x-shopify-event-id': randomUUID(),
        'x-shopify-triggered-at': at.toISOString(),
      };
    case 'custom':
      return {
        'x-webhook-topic': topic,
        'x-webhook-signature': signature,
        'x-webhook-id': delivery,
      };
  }
}

function authenticationHeaders(authentication: StoreAuthentication | undefined) {
  if (!authentication) return {};
  if (authentication.type === 'header') {
    return { [authentication.name.toLowerCase()]: authentication.value };
  }
  const { username, password } = authentication;
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}
