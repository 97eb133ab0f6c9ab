import { isIP } from 'node:net';
import { type Config, publicUrl } from '../../../config.ts';
import { privateRangeOf, wordsOf } from '../../../platform/outbound/addresses/guard-addresses.ts';
import { withoutBrackets } from '../../../platform/outbound/addresses/vet-host.ts';

/** Endings of names that no public name server knows. */
const localNames = /(^|\.)(localhost|local|internal|lan|home\.arpa|test|invalid)$/;

/**
 * Explains why others on the internet cannot reach this service at its public URL, as far as the URL shows it;
 * undefined if they might.
 */
export function whyUnreachable(
  config: Pick<Config, 'baseUrl' | 'host' | 'port'>,
): PrivateUrl | undefined {
  return whyPrivate(publicUrl(config));
}

/** A URL that is not on the internet. `what` it is in words, by `kind`: a name, or a range of addresses. */
export type PrivateUrl = { url: string; what: string; kind: string };

/** Explains why the host of a URL is not on the internet; undefined if it may be. */
export function whyPrivate(url: string): PrivateUrl | undefined {
  const host = withoutBrackets(new URL(url).hostname);
  if (isIP(host)) {
    const range = privateRangeOf(host);
    return range && { url, what: `an address of ${wordsOf(range)}`, kind: range };
  }
  if (!localNames.test(host) && host.includes('.')) return undefined;
  return { url, what: 'a local name', kind: 'name' };
}
