import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { parseNetworks } from '../values/networks.ts';

/** Ids that proxies and tracing libraries make: letters, digits and a few signs, so that any log can hold them. */
const wellFormed = /^[\w.:+/=@-]{1,128}$/;

type RawRequest = { headers: IncomingHttpHeaders; socket: { remoteAddress?: string | undefined } };

/**
 * Creates a function that gives each request its id, for `X-Request-Id` of the response and for the log. A trusted
 * proxy may choose the id, so that one id leads through its log and ours. Anybody else could repeat the id of
 * another request and hide in its log lines.
 */
export function createRequestIds(trustedProxies: string[]): (request: RawRequest) => string {
  const proxies = parseNetworks(trustedProxies);
  return ({ headers, socket }) => {
    const given = headers['x-request-id'];
    if (given === undefined) return randomUUID();
    const isTrusted = proxies.includes(socket.remoteAddress ?? '');
    return isTrusted && wellFormed.test(String(given)) ? String(given) : randomUUID();
  };
}
