import { describe, expect, test } from 'vitest';
import { createConcurrencyLimits } from './concurrency-limits.ts';

/** Creates limits with a clock that the test controls. */
function limitsAt() {
  const clock = { ms: 0 };
  const limits = createConcurrencyLimits(() => clock.ms);
  /** Claims all that is granted, and returns how much that was. */
  const take = (endpoint: string) => {
    const grant = limits.grantClaims(100).find((each) => each.endpoint === endpoint);
    if (!grant) return 0;
    limits.recordClaim(grant, grant.limit);
    return grant.limit;
  };
  return { clock, limits, take };
}

describe('the concurrency limit of an endpoint', () => {
  test('is never exceeded', () => {
    const { limits, take } = limitsAt();
    limits.markDue('1');
    expect(take('1')).toBe(8);
    expect(take('1')).toBe(0);
    expect(limits.msUntilDue()).toBe(Number.POSITIVE_INFINITY);
  });

  test('is forgotten after failures once the endpoint has nothing waiting', () => {
    const { clock, limits, take } = limitsAt();
    for (const endpoint of ['1', '2']) {
      limits.markDue(endpoint);
      for (let inFlight = take(endpoint); inFlight > 0; inFlight--) limits.recordFailure(endpoint);
    }
    clock.ms = 60_000;
    // Nothing more is due.
    for (const grant of limits.grantClaims(100)) limits.recordClaim(grant, 0);
    limits.forgetOthers(new Set(['2']));
    for (const endpoint of ['1', '2']) limits.markDue(endpoint);
    expect(limits.grantClaims(100)).toEqual([
      { endpoint: '2', limit: 1 },
      { endpoint: '1', limit: 8 },
    ]);
  });

  test('rises with successes, up to a maximum', () => {
    const { limits, take } = limitsAt();
    limits.markDue('1');
    let inFlight = take('1');
    for (let round = 0; round < 1_000; round++) {
      limits.recordSuccess('1');
      inFlight += take('1') - 1;
    }
    expect(inFlight).toBe(64);
  });

  test('falls to one with failures, with pauses between the attempts', () => {
    const { clock, limits, take } = limitsAt();
    limits.markDue('1');
    for (let inFlight = take('1'); inFlight > 0; inFlight--) limits.recordFailure('1');
    expect(take('1')).toBe(0);
    clock.ms += limits.msUntilDue();
    expect(take('1')).toBe(1);
    limits.recordFailure('1');
    expect(limits.msUntilDue()).toBe(20);
  });

  test('recovers at the first success', () => {
    const { clock, limits, take } = limitsAt();
    limits.markDue('1');
    for (let inFlight = take('1'); inFlight > 0; inFlight--) limits.recordFailure('1');
    clock.ms += 1_000;
    expect(take('1')).toBe(1);
    limits.recordSuccess('1');
    expect(take('1')).toBe(2);
  });
});

test('slow endpoints of a tenant, however many, leave room for others', () => {
  const { limits } = limitsAt();
  let inFlight = 0;
  const maxInFlight = 1_000;
  const claimAll = () => {
    const grants = limits.grantClaims(maxInFlight - inFlight);
    for (const grant of grants) {
      limits.recordClaim(grant, grant.limit);
      inFlight += grant.limit;
    }
    return grants;
  };
  const own = ['7', ...Array.from({ length: 19 }, (_, index) => `7/${index + 1}`)];
  // They respond, so that their limits rise, and always have more to deliver.
  for (const endpoint of own) limits.markDue(endpoint);
  for (let round = 0; round < 100; round++) {
    for (const { endpoint, limit } of claimAll()) {
      for (let each = 0; each < limit; each++) limits.recordSuccess(endpoint);
      inFlight -= limit;
    }
  }
  // Then each response takes long.
  while (claimAll().length > 0);
  expect(inFlight).toBe(200);
  // Nothing can be claimed until one of them ends, so the process sleeps.
  expect(limits.msUntilDue()).toBe(Number.POSITIVE_INFINITY);

  limits.markDue('8');
  expect(claimAll()).toEqual([{ endpoint: '8', limit: 8 }]);
  limits.recordSuccess('7');
  inFlight--;
  expect(limits.msUntilDue()).toBe(0);
  expect(claimAll().map(({ limit }) => limit)).toContain(1);
  expect(inFlight).toBe(208);
});

describe('a claim reads', () => {
  const lastDueAt = new Date('2026-11-27T12:00:00Z');

  /** Claims what is granted to the endpoint, the last of it due at `lastDueAt`, and returns where the claim begins. */
  function claim(limits: ReturnType<typeof createConcurrencyLimits>, count: number) {
    const grant = limits.grantClaims(100)[0]!;
    limits.recordClaim(grant, count, lastDueAt);
    return grant.dueFrom;
  }

  test('from shortly before the last one, and from the beginning once after each sweep', () => {
    const { limits } = limitsAt();
    limits.markDue('1');
    expect(claim(limits, 1)).toBeUndefined();
    limits.recordSuccess('1');
    limits.markDue('1');
    expect(claim(limits, 1)).toEqual(new Date('2026-11-27T11:59:50Z'));
    limits.markFound('1', 0);
    expect(claim(limits, 1)).toBeUndefined();
    limits.markDue('1');
    expect(claim(limits, 1)).toEqual(new Date('2026-11-27T11:59:50Z'));
  });

  test('from the beginning if a sweep came during the last one', () => {
    const { limits } = limitsAt();
    limits.markDue('1');
    const [grant] = limits.grantClaims(100);
    limits.markFound('1', 0);
    limits.recordClaim(grant!, 1, lastDueAt);
    expect(claim(limits, 1)).toBeUndefined();
  });

  test('from the beginning if nothing was waiting at the last sweep', () => {
    const { limits } = limitsAt();
    limits.markDue('1');
    claim(limits, 1);
    limits.recordSuccess('1');
    limits.forgetOthers(new Set());
    limits.markDue('1');
    expect(claim(limits, 1)).toBeUndefined();
  });
});

test('failing endpoints share a fixed number of attempts per second, however many they are', () => {
  const { clock, limits } = limitsAt();
  const failing = Array.from({ length: 10 }, (_, index) => String(index));
  for (const endpoint of failing) limits.markDue(endpoint);
  let attempts = 0;
  const runUntil = (end: number) => {
    for (; clock.ms < end; clock.ms++) {
      for (const grant of limits.grantClaims(100)) {
        limits.recordClaim(grant, grant.limit);
        for (let each = 0; each < grant.limit; each++) limits.recordFailure(grant.endpoint);
        attempts += grant.limit;
      }
    }
  };
  runUntil(1_000);
  attempts = 0;
  runUntil(11_000);
  expect(attempts / 10).toBeGreaterThan(40);
  expect(attempts / 10).toBeLessThanOrEqual(51);
});

describe('claims are granted', () => {
  test('to an endpoint again only when something new is due', () => {
    const { clock, limits } = limitsAt();
    limits.markDue('1', 50);
    expect(limits.grantClaims(100)).toEqual([]);
    expect(limits.msUntilDue()).toBe(50);
    clock.ms = 50;
    expect(limits.grantClaims(100)).toEqual([{ endpoint: '1', limit: 8 }]);
    limits.recordClaim({ endpoint: '1', limit: 8 }, 0);
    expect(limits.grantClaims(100)).toEqual([]);
    expect(limits.msUntilDue()).toBe(Number.POSITIVE_INFINITY);
  });

  test('to the endpoints in rotation if there is not room for all', () => {
    const { limits } = limitsAt();
    for (const endpoint of ['1', '2', '3']) limits.markDue(endpoint);
    const claimAll = (room: number) => {
      const grants = limits.grantClaims(room);
      for (const grant of grants) limits.recordClaim(grant, grant.limit);
      return grants;
    };
    expect(claimAll(10)).toEqual([
      { endpoint: '1', limit: 8 },
      { endpoint: '2', limit: 2 },
    ]);
    expect(claimAll(6)).toEqual([{ endpoint: '3', limit: 6 }]);
    expect(claimAll(100)).toEqual([
      { endpoint: '2', limit: 6 },
      { endpoint: '3', limit: 2 },
    ]);
  });

  test('for deliveries that become due during a claim', () => {
    const { limits } = limitsAt();
    limits.markDue('1');
    limits.grantClaims(100);
    limits.markDue('1');
    limits.recordClaim({ endpoint: '1', limit: 8 }, 0);
    expect(limits.grantClaims(100)).toEqual([{ endpoint: '1', limit: 8 }]);
  });
});
