import ipaddr from 'ipaddr.js';
import type { Networks } from '../values/networks.ts';
import { AddressRefused } from './outbound-failure.ts';

/** Throws AddressRefused if this address of a host must not be called. */
export type AddressGuard = (host: string, address: string, secure: boolean) => void;

export function guardAddresses(allowed: Networks, requireHttps: boolean): AddressGuard {
  return (host, address, secure) => {
    if (allowed.includes(address)) return;
    const why = whyNotPublic(address);
    if (why) {
      // The address is for the log only: it would show a tenant what our network looks like inside.
      throw new AddressRefused(`${host} is not a public address (${why}).`, { address });
    }
    if (!secure && requireHttps) {
      throw new AddressRefused(
        `http:// is only for private addresses, and ${host} is public. Use https://.`,
        { address },
      );
    }
  };
}

/**
 * Explains why an address is not on the public internet; undefined if it is. Based on the special-purpose
 * registries: https://www.iana.org/assignments/iana-ipv4-special-registry and
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export function whyNotPublic(address: string): string | undefined {
  if (!ipaddr.isValid(address) || address.includes('%')) return 'not an address';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range !== 'unicast') return reasons[range] ?? 'reserved';
  if (parsed.kind() === 'ipv4') return address === azureHost ? reasons.linkLocal : undefined;
  // The rest is not allocated yet, or was withdrawn.
  return parsed.match(globalUnicast, 3) ? undefined : 'reserved';
}

/** A public number, but it is the host of a virtual machine in Azure. */
const azureHost = '168.63.129.16';
const globalUnicast = ipaddr.IPv6.parse('2000::');

const reasons: Record<string, string> = {
  unspecified: 'this machine itself',
  loopback: 'this machine itself',
  private: 'a private network',
  uniqueLocal: 'a private network',
  carrierGradeNat: 'a private network',
  linkLocal: 'the local network, where cloud machines find their secrets',
  multicast: 'a group of machines',
  broadcast: 'a group of machines',
  ipv4Mapped: 'another address in disguise',
  rfc6145: 'another address in disguise',
  rfc6052: 'another address in disguise',
  '6to4': 'another address in disguise',
  teredo: 'another address in disguise',
};
