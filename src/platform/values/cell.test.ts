import { expect, test } from 'vitest';
import { looksLikeAddressId, newAddressId, tenantIdOffset, tenantsPerCell } from './cell.ts';

const names = ['a', 'b', 'z9', 'eu1', 'eu2', 'us1', 'a0000', 'zzzzz', 'zzzzzz', 'east', 'prod1'];
const longNames = ['europe1', 'europe2', 'zzzzzzz', 'frankfrt', 'zzzzzzzz', 'virginia'];

test('cells with short names never share ids of tenants, and all ids are safe integers', () => {
  const offsets = [...names, ...longNames].map(tenantIdOffset);
  const sorted = offsets.toSorted((a, b) => a - b);
  for (const [index, offset] of sorted.entries()) {
    const next = sorted[index + 1] ?? Number.MAX_SAFE_INTEGER;
    expect(next - offset).toBeGreaterThanOrEqual(tenantsPerCell);
  }
  expect(sorted[0]).toBeGreaterThanOrEqual(tenantsPerCell);
  // Short and long names have separate blocks.
  const longestShort = tenantIdOffset('zzzzzz');
  for (const name of longNames) expect(tenantIdOffset(name)).toBeGreaterThan(longestShort);
});

test('without a name, ids of tenants begin at 1', () => {
  expect(tenantIdOffset('')).toBe(0);
});

test('the offset of a name never changes between versions', () => {
  expect(tenantIdOffset('eu1')).toBe(76_900_000_000);
  expect(tenantIdOffset('europe1')).toBe(8_793_546_440_000_000);
});

test('addresses of every cell, and those without one, are recognized', () => {
  for (const cell of ['', ...names, ...longNames]) {
    const id = newAddressId(cell);
    expect(looksLikeAddressId(id)).toBe(true);
    expect(id.split('-')).toHaveLength(cell ? 2 : 1);
  }
  const random = newAddressId('');
  for (const text of ['', `-${random}`, `1a-${random}`, `EU1-${random}`, `toolongname-${random}`]) {
    expect(looksLikeAddressId(text)).toBe(false);
  }
});
