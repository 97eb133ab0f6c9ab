import type { ResponseHead } from './responses/response-head.ts';

export const maxRedirects = 3;

/**
 * Requests an address and follows its redirects, at most `maxRedirects` of them. The caller must send each
 * request through the address guard, because an allowed address may redirect to any other.
 *
 * @param request gets the address and the milliseconds left for all requests together
 * @returns the first response that is not a redirect; undefined after too many redirects
 */
export async function followRedirects<Response extends ResponseHead>(
  url: string,
  timeoutMs: number,
  request: (address: string, leftMs: number) => Promise<Response>,
): Promise<Response | undefined> {
  const until = performance.now() + timeoutMs;
  let address = url;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const response = await request(address, Math.max(1, until - performance.now()));
    const location = redirectOf(response, address);
    if (location === undefined) return response;
    address = location;
  }
  return undefined;
}

/** Returns the address that a response to `address` redirects to; undefined if it is not a redirect. */
export function redirectOf({ status, headers }: ResponseHead, address: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || !headers.location) return undefined;
  return URL.parse(headers.location, address)?.href;
}
