import { expect, test } from 'vitest';
import { clientNetwork, parseNetworks } from './networks.ts';

test('a network includes the addresses of its own kind, and IPv4-mapped addresses', () => {
  const networks = parseNetworks(['10.0.0.0/8', ' 127.0.0.1', 'fd00::/8', '::1']);
  for (const inside of ['10.255.0.1', '127.0.0.1', 'fd12::1', '::1', '::ffff:10.0.0.1']) {
    expect(networks.includes(inside), inside).toBe(true);
  }
  for (const outside of ['11.0.0.1', '127.0.0.2', 'fe80::1', '::2', '::ffff:11.0.0.1', '', 'x']) {
    expect(networks.includes(outside), outside).toBe(false);
  }
});

test('an IPv4-mapped network includes the IPv4 addresses that it maps', () => {
  const networks = parseNetworks(['::ffff:10.0.0.0/104', '::ffff:127.0.0.1']);
  for (const inside of ['10.255.0.1', '::ffff:10.0.0.1', '127.0.0.1']) {
    expect(networks.includes(inside), inside).toBe(true);
  }
  for (const outside of ['11.0.0.1', '::ffff:11.0.0.1', '127.0.0.2', '::1']) {
    expect(networks.includes(outside), outside).toBe(false);
  }
});

test('an entry that is not a network is refused by name', () => {
  for (const entry of ['10.0.0.0/33', '10.0/8', 'localhost', '010.0.0.1/8', '10.0.0.0/8/8', '']) {
    expect(() => parseNetworks([entry]), entry).toThrow(`"${entry}" is not a network`);
  }
});

test('a client is identified by its IPv4 address or its IPv6 /64, with or without a port added by a proxy', () => {
  for (const same of [
    '192.0.2.1',
    '192.0.2.1:51234',
    '::ffff:192.0.2.1',
    '[::ffff:192.0.2.1]:80',
  ]) {
    expect(clientNetwork(same), same).toBe('192.0.2.1');
  }
  const network = clientNetwork('2001:db8:1:2::1');
  for (const same of ['2001:db8:1:2:3:4:5:6', '[2001:db8:1:2::9]:51234', '[2001:db8:1:2::9]']) {
    expect(clientNetwork(same), same).toBe(network);
  }
  expect(clientNetwork('2001:db8:1:3::1')).not.toBe(network);
  expect(clientNetwork('unknown')).toBe('unknown');
});
