/**
 * Whether a sign-in may lead to an address: a page of ours, except the sign-in itself.
 *
 * @param origin our own
 */
export function isOwnPage(address: unknown, origin: string): address is string {
  // Parsed as the browser does, because `//elsewhere`, also with a tab between the slashes, is another site.
  const url = typeof address === 'string' ? URL.parse(address, origin) : null;
  return url?.origin === origin && url.pathname !== '/sign-in';
}
