import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { fault } from '../../errors/fault.ts';
import { hasNoAddress, OutboundFailure } from '../outbound-failure.ts';

/** Looks up all addresses of a host, in the order to try them. An address is returned as it is. */
export type Lookup = (host: string) => Promise<string[]>;

const lookupTimeoutMs = 5_000;

/**
 * Asks the name servers directly, because the system's own lookup blocks one of four threads that all of Node
 * shares for as long as a slow name server takes. Names that the name servers do not know (/etc/hosts, search
 * domains) are left to the system, which resolves them immediately.
 *
 * @param nameServers `address:port`, instead of the system's
 * @throws OutboundFailure
 */
export async function lookUpAddresses(host: string, nameServers?: string[]): Promise<string[]> {
  if (isIP(host)) return [host];
  if (/(^|\.)localhost$/i.test(host)) return ['127.0.0.1', '::1']; // RFC 6761
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (nameServers) resolver.setServers(nameServers);
  const timer = setTimeout(() => resolver.cancel(), lookupTimeoutMs);
  try {
    // IPv4 first: without an IPv6 route, each IPv6 address would cost a timeout.
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    if (addresses.length > 0) return addresses;
    const codes = found.map((each) => each.status === 'rejected' && each.reason.code);
    if (!codes.every((code) => unknownToServers.has(code))) {
      throw new OutboundFailure(
        'dns',
        fault('name_servers_silent', 'The name servers did not respond for {host}.', { host }),
      );
    }
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (cause) {
    if (cause instanceof OutboundFailure) throw cause;
    throw hasNoAddress(host, cause);
  } finally {
    clearTimeout(timer);
  }
}

/** The name or record does not exist, or this machine has no name server. */
const unknownToServers = new Set<unknown>(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);
