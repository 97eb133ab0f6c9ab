import { expect, test } from 'vitest';
import { createEventRateLimits } from './rate-limits.ts';

/** Lengths of typical orders. */
const posts = (count: number) => Array<number>(count).fill(4_000);

test('a flood of one tenant is processed at the rate, after a first burst', () => {
  let now = 0;
  const limits = createEventRateLimits(40, () => now);
  let claimed = 0;
  limits.markDue(1);
  for (; now < 10_000; now += 1) {
    for (const { tenantId, limit } of limits.grantClaims(32)) {
      limits.recordClaim({ tenantId, limit }, posts(limit));
      claimed += limit;
      for (let each = 0; each < limit; each++) limits.recordFinished(tenantId);
    }
  }
  expect(claimed).toBeGreaterThan(390);
  expect(claimed).toBeLessThanOrEqual(410);
});

test('posts of two megabytes cost more of the rate', () => {
  let now = 0;
  const limits = createEventRateLimits(40, () => now);
  let claimed = 0;
  limits.markDue(1);
  for (; now < 60_000; now += 1) {
    for (const { tenantId, limit } of limits.grantClaims(32)) {
      limits.recordClaim({ tenantId, limit }, Array(limit).fill(2_000_000));
      claimed += limit;
      for (let each = 0; each < limit; each++) limits.recordFinished(tenantId);
    }
  }
  expect(claimed).toBeGreaterThan(20);
  expect(claimed).toBeLessThan(40);
});

test('at most eight events of a tenant are in flight, and others do not wait for them', () => {
  let now = 0;
  const limits = createEventRateLimits(1_000, () => now);
  limits.markDue(1);
  expect(limits.grantClaims(32)).toEqual([{ tenantId: 1, limit: 8 }]);
  limits.recordClaim({ tenantId: 1, limit: 8 }, posts(8));
  now += 1_000;
  limits.markDue(2);
  expect(limits.grantClaims(32)).toEqual([{ tenantId: 2, limit: 8 }]);
  limits.recordFinished(1);
  expect(limits.grantClaims(32)).toEqual([
    { tenantId: 1, limit: 1 },
    { tenantId: 2, limit: 8 },
  ]);
});

test('if there is room for one tenant only, tenants rotate, including later ones', () => {
  let now = 0;
  const limits = createEventRateLimits(1_000, () => now);
  for (const tenantId of [1, 2, 3]) limits.markDue(tenantId);
  const served: number[] = [];
  for (; served.length < 7; now += 1_000) {
    if (served.length === 3) limits.markDue(4);
    const { tenantId, limit } = limits.grantClaims(8)[0]!;
    limits.recordClaim({ tenantId, limit }, posts(limit));
    for (let each = 0; each < limit; each++) limits.recordFinished(tenantId);
    served.push(tenantId);
  }
  expect(served).toEqual([1, 2, 3, 1, 2, 3, 4]);
});

test('all tenants together get no more events than there is room for', () => {
  let now = 0;
  const limits = createEventRateLimits(1_000, () => now);
  for (const tenantId of [1, 2, 3, 4]) limits.markDue(tenantId);
  const grants = [1, 2, 3].map((tenantId) => ({ tenantId, limit: tenantId < 3 ? 8 : 4 }));
  expect(limits.grantClaims(20)).toEqual(grants);
  expect(limits.grantClaims(0)).toEqual([]);
  for (const grant of grants) limits.recordClaim(grant, posts(grant.limit));
  now += 1_000;
  // The third got less than it may have in flight.
  expect(limits.grantClaims(12)).toEqual([
    { tenantId: 4, limit: 8 },
    { tenantId: 3, limit: 4 },
  ]);
});

test('the time until the next grant is zero, the time until a group is allowed, or infinite', () => {
  let now = 0;
  const limits = createEventRateLimits(40, () => now);
  expect(limits.msUntilDue()).toBe(Number.POSITIVE_INFINITY);
  limits.markDue(1);
  expect(limits.msUntilDue()).toBe(0);
  limits.recordClaim({ tenantId: 1, limit: 10 }, posts(10));
  for (let each = 0; each < 10; each++) limits.recordFinished(1);
  expect(limits.msUntilDue()).toBe(200);
  now += 199;
  expect(limits.grantClaims(32)).toEqual([]);
  now += 1;
  expect(limits.grantClaims(32)).toEqual([{ tenantId: 1, limit: 8 }]);
  limits.recordClaim({ tenantId: 1, limit: 8 }, posts(0));
  expect(limits.msUntilDue()).toBe(Number.POSITIVE_INFINITY);
});

test('at a low rate, single events do not wait for a group', () => {
  let now = 0;
  const limits = createEventRateLimits(1, () => now);
  limits.markDue(1);
  limits.recordClaim({ tenantId: 1, limit: 10 }, posts(10));
  for (let each = 0; each < 10; each++) limits.recordFinished(1);
  expect(limits.msUntilDue()).toBe(1_000);
  now += 1_000;
  expect(limits.grantClaims(32)).toEqual([{ tenantId: 1, limit: 1 }]);
});
