import { hasNoAddress } from '../outbound-failure.ts';
import type { AddressGuard } from './guard-addresses.ts';
import type { Lookup } from './look-up-addresses.ts';

/**
 * Looks up the host of a URL and refuses it if any of its addresses is refused.
 *
 * @returns its addresses, in the order to try them
 * @throws AddressRefused; OutboundFailure of kind `dns` if there is no address
 */
export async function vetHost(
  { hostname, protocol }: { hostname: string; protocol: string },
  guard: AddressGuard,
  lookup: Lookup,
): Promise<string[]> {
  const host = withoutBrackets(hostname);
  const addresses = await lookup(host);
  if (addresses.length === 0) throw hasNoAddress(host);
  for (const address of addresses) guard(host, address, protocol === 'https:');
  return addresses;
}

/** Removes the brackets of an IPv6 address from the host of a URL. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
