import { isIP } from 'node:net';
import type { Config } from '../../../config.ts';
import { invalid } from '../../../platform/errors/api-error.ts';
import { type Fault, fault } from '../../../platform/errors/fault.ts';
import { withoutBrackets } from '../../../platform/outbound/addresses/vet-host.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { OutboundFailure } from '../../../platform/outbound/outbound-failure.ts';

const maxUrlLength = 2_048;

/**
 * Refuses a URL that is clearly wrong. An https:// name is not looked up: the guard of outbound HTTP checks
 * the address of every connection. An http:// name must already resolve to an allowed private network,
 * because most http:// addresses are typing errors that would only show when deliveries fail.
 */
export async function checkUrl(
  text: string,
  { config, outbound }: { config: Config; outbound: Outbound },
): Promise<string> {
  const url = URL.parse(text);
  const refuse = (message: Fault) => invalid({ url: [message] });
  if (!url || !/^https?:$/.test(url.protocol))
    throw refuse(fault('not_https', 'must be an https:// address'));
  if (text.length > maxUrlLength)
    throw refuse(
      fault('url_too_long', `must have at most ${maxUrlLength} characters`, { max: maxUrlLength }),
    );
  if (url.username || url.password)
    throw refuse(fault('url_with_user', 'must not contain a user name or a password'));
  if (url.hostname.endsWith('.'))
    throw refuse(fault('url_with_dot', 'must not have a host that ends with a dot'));

  const secure = url.protocol === 'https:';
  if (!secure && config.allowPrivateAddresses.length === 0) {
    throw refuse(fault('not_https', 'must be an https:// address'));
  }
  const host = withoutBrackets(url.hostname);
  const isKnown = isIP(host) !== 0 || /(^|\.)localhost$/i.test(host);
  if (secure && !isKnown) return text;
  try {
    await outbound.vet(text);
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    const isName = error.kind === 'dns';
    const hint = isName ? ' http:// is only for private addresses. Use https://.' : '';
    throw refuse(
      fault('url_not_callable', `cannot be called: {why}${hint}`, {
        why: error.fault,
        kind: isName ? 'name' : 'address',
      }),
    );
  }
  return text;
}
