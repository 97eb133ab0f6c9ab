import ipaddr from 'ipaddr.js';
import { fault } from '../../errors/fault.ts';
import type { Networks } from '../../values/networks.ts';
import { AddressRefused } from '../outbound-failure.ts';

/** Throws AddressRefused if this address of a host must not be called. */
export type AddressGuard = (host: string, address: string, secure: boolean) => void;

export function guardAddresses(allowed: Networks, requireHttps: boolean): AddressGuard {
  return (host, address, secure) => {
    if (allowed.includes(address)) return;
    const why = privateRangeOf(address);
    if (why) {
      // The address is for the log only: it would show a tenant what our network looks like inside.
      const refused = fault('address_not_public', '{host} is not a public address ({why}).', {
        host,
        why: wordsOf(why),
        range: why,
      });
      throw new AddressRefused(refused, { address });
    }
    if (!secure && requireHttps) {
      throw new AddressRefused(
        fault(
          'address_not_https',
          'http:// is only for private addresses, and {host} is public. Use https://.',
          { host },
        ),
        { address },
      );
    }
  };
}

/**
 * Finds the range of an address that is not on the public internet; undefined if it is. Based on the special-purpose
 * registries: https://www.iana.org/assignments/iana-ipv4-special-registry and
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export function privateRangeOf(address: string): Range | undefined {
  if (!ipaddr.isValid(address) || address.includes('%')) return 'no_address';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range !== 'unicast') return ranges[range] ?? 'reserved';
  if (parsed.kind() === 'ipv4') return address === azureHost ? 'link_local' : undefined;
  // The rest is not allocated yet, or was withdrawn.
  return parsed.match(globalUnicast, 3) ? undefined : 'reserved';
}

/** A public number, but it is the host of a virtual machine in Azure. */
const azureHost = '168.63.129.16';
const globalUnicast = ipaddr.IPv6.parse('2000::');

/** Describes a range in the middle of a sentence. */
export const wordsOf = (range: Range): string => words[range];

const words = {
  no_address: 'not an address',
  reserved: 'reserved',
  this_machine: 'this machine itself',
  private: 'a private network',
  link_local: 'the local network, where cloud machines find their secrets',
  group: 'a group of machines',
  disguised: 'another address in disguise',
};
type Range = keyof typeof words;

const ranges: Record<string, Range> = {
  unspecified: 'this_machine',
  loopback: 'this_machine',
  private: 'private',
  uniqueLocal: 'private',
  carrierGradeNat: 'private',
  linkLocal: 'link_local',
  multicast: 'group',
  broadcast: 'group',
  ipv4Mapped: 'disguised',
  rfc6145: 'disguised',
  rfc6052: 'disguised',
  '6to4': 'disguised',
  teredo: 'disguised',
};
