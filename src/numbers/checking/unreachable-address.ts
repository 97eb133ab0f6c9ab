import { isIP } from 'node:net';
import { type Config, publicUrl } from '../../config.ts';
import { whyNotPublic } from '../../platform/outbound/guard-addresses.ts';
import { withoutBrackets } from '../../platform/outbound/vet-host.ts';

/** Endings of names that no public name server knows. */
const localNames = /(^|\.)(localhost|local|internal|lan|home\.arpa|test|invalid)$/;

/**
 * Explains why others on the internet cannot reach this service at its public URL, as far as the URL shows it;
 * undefined if they might.
 */
export function whyUnreachable(
  config: Pick<Config, 'baseUrl' | 'host' | 'port'>,
): string | undefined {
  return whyPrivate(publicUrl(config));
}

/** Explains why the host of a URL is not on the internet; undefined if it may be. */
export function whyPrivate(url: string): string | undefined {
  const host = withoutBrackets(new URL(url).hostname);
  if (isIP(host)) {
    const why = whyNotPublic(host);
    return why && `${url} is an address of ${why}`;
  }
  if (localNames.test(host) || !host.includes('.')) return `${url} is a local name`;
  return undefined;
}
