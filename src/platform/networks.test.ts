import { expect, test } from 'vitest';
import { parseNetworks } from './networks.ts';

test('networks hold addresses of their own kind, mapped ones by what they stand for', () => {
  const networks = parseNetworks(['10.0.0.0/8', ' 127.0.0.1', 'fd00::/8', '::1']);
  for (const inside of ['10.255.0.1', '127.0.0.1', 'fd12::1', '::1', '::ffff:10.0.0.1']) {
    expect(networks.includes(inside), inside).toBe(true);
  }
  for (const outside of ['11.0.0.1', '127.0.0.2', 'fe80::1', '::2', '::ffff:11.0.0.1', '', 'x']) {
    expect(networks.includes(outside), outside).toBe(false);
  }
});

test('what is not a network is refused by name', () => {
  for (const entry of ['10.0.0.0/33', '10.0/8', 'localhost', '010.0.0.1/8', '10.0.0.0/8/8', '']) {
    expect(() => parseNetworks([entry]), entry).toThrow(`"${entry}" is not a network`);
  }
});
