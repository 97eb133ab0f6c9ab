import ipaddr from 'ipaddr.js';

export type Networks = { includes(address: string): boolean };

/**
 * Parses a list of addresses and CIDR ranges such as `10.0.0.0/8`, `::1`, `127.0.0.1`. IPv4-mapped IPv6
 * addresses (`::ffff:10.0.0.1`, as a dual-stack socket shows them) count as their IPv4 addresses, in the list
 * too.
 *
 * @throws Error that names the entry that is not a network
 */
export function parseNetworks(list: string[]): Networks {
  const networks = list.map(parseNetwork);
  return {
    includes(address) {
      if (!ipaddr.isValid(address)) return false;
      const parsed = ipaddr.process(address);
      return networks.some(
        ([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits),
      );
    },
  };
}

/**
 * Identifies a client for counting its attempts: by its IPv4 address, or by the /64 of its IPv6 address, because
 * a provider gives each customer at least a /64. Some proxies (Azure's) append the port, which differs for
 * each connection, so it is removed. Other text is used as it is.
 */
export function clientNetwork(given: string): string {
  const address = given.replace(/^(\d+(?:\.\d+){3}|\[.+\]):\d+$/, '$1').replace(/^\[(.+)\]$/, '$1');
  if (!ipaddr.isValid(address)) return address.slice(0, 64);
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':');
}

/** Whether `parseNetworks` accepts an entry. */
export function isNetwork(entry: string): boolean {
  try {
    parseNetwork(entry);
    return true;
  } catch {
    return false;
  }
}

function parseNetwork(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const text = entry.trim();
  const [address = '', bits] = text.split('/');
  const isFull = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  try {
    if (!isFull) throw new Error('not an address');
    const [network, length] = ipaddr.parseCIDR(bits === undefined ? wholeOf(address) : text);
    const isMapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress();
    return isMapped && length >= 96 ? [network.toIPv4Address(), length - 96] : [network, length];
  } catch (cause) {
    throw new Error(
      `"${entry}" is not a network: write an address such as 10.1.2.3, or a range such as 10.0.0.0/8 or fd00::/8.`,
      { cause },
    );
  }
}

/** The network of one address. */
function wholeOf(address: string): string {
  return `${address}/${ipaddr.parse(address).kind() === 'ipv4' ? 32 : 128}`;
}
