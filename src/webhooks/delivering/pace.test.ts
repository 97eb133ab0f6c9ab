import { describe, expect, test } from 'vitest';
import { createPace } from './pace.ts';

/** A pace on a clock that the test moves. */
function pacedAt() {
  const clock = { ms: 0 };
  const pace = createPace(() => clock.ms);
  /** Claims all that is asked for, and gives how much that was. */
  const take = (tenantId: number) => {
    const asked = pace.ask(100).find((each) => each.tenantId === tenantId);
    if (!asked) return 0;
    pace.claimed(tenantId, asked.most, asked.most);
    return asked.most;
  };
  return { clock, pace, take };
}

describe('the pace of a tenant', () => {
  test('never has more under way than its limit', () => {
    const { pace, take } = pacedAt();
    pace.expect(1);
    expect(take(1)).toBe(8);
    expect(take(1)).toBe(0);
    expect(pace.msUntilDue()).toBe(Number.POSITIVE_INFINITY);
  });

  test('rises with successes, up to an end', () => {
    const { pace, take } = pacedAt();
    pace.expect(1);
    let underWay = take(1);
    for (let round = 0; round < 1_000; round++) {
      pace.succeeded(1);
      underWay += take(1) - 1;
    }
    expect(underWay).toBe(64);
  });

  test('falls to one at a time with failures, and rests between them', () => {
    const { clock, pace, take } = pacedAt();
    pace.expect(1);
    for (let underWay = take(1); underWay > 0; underWay--) pace.failed(1);
    expect(take(1)).toBe(0);
    clock.ms += pace.msUntilDue();
    expect(take(1)).toBe(1);
    pace.failed(1);
    expect(pace.msUntilDue()).toBe(20);
  });

  test('of many sick ones is that of one: they share its tries', () => {
    const { clock, pace } = pacedAt();
    const sick = Array.from({ length: 10 }, (_, index) => index);
    for (const tenantId of sick) pace.expect(tenantId);
    let tries = 0;
    const lookUntil = (end: number) => {
      for (; clock.ms < end; clock.ms++) {
        for (const { tenantId, most } of pace.ask(100)) {
          pace.claimed(tenantId, most, most);
          for (let each = 0; each < most; each++) pace.failed(tenantId);
          tries += most;
        }
      }
    };
    lookUntil(1_000);
    tries = 0;
    lookUntil(11_000);
    expect(tries / 10).toBeGreaterThan(40);
    expect(tries / 10).toBeLessThanOrEqual(51);
  });

  test('recovers at the first success', () => {
    const { clock, pace, take } = pacedAt();
    pace.expect(1);
    for (let underWay = take(1); underWay > 0; underWay--) pace.failed(1);
    clock.ms += 1_000;
    expect(take(1)).toBe(1);
    pace.succeeded(1);
    expect(take(1)).toBe(2);
  });

  test('asks for a tenant again only when something new is due', () => {
    const { clock, pace } = pacedAt();
    pace.expect(1, 50);
    expect(pace.ask(100)).toEqual([]);
    expect(pace.msUntilDue()).toBe(50);
    clock.ms = 50;
    expect(pace.ask(100)).toEqual([{ tenantId: 1, most: 8 }]);
    pace.claimed(1, 0, 8);
    expect(pace.ask(100)).toEqual([]);
    expect(pace.msUntilDue()).toBe(Number.POSITIVE_INFINITY);
  });

  test('takes turns with the others when there is not room for all', () => {
    const { pace } = pacedAt();
    for (const tenantId of [1, 2, 3]) pace.expect(tenantId);
    const turn = (room: number) => {
      const asked = pace.ask(room);
      for (const { tenantId, most } of asked) pace.claimed(tenantId, most, most);
      return asked;
    };
    expect(turn(10)).toEqual([
      { tenantId: 1, most: 8 },
      { tenantId: 2, most: 2 },
    ]);
    expect(turn(6)).toEqual([{ tenantId: 3, most: 6 }]);
    expect(turn(100)).toEqual([
      { tenantId: 2, most: 6 },
      { tenantId: 3, most: 2 },
    ]);
  });

  test('does not miss what becomes due while it is claimed for', () => {
    const { pace } = pacedAt();
    pace.expect(1);
    pace.ask(100);
    pace.expect(1);
    pace.claimed(1, 0, 8);
    expect(pace.ask(100)).toEqual([{ tenantId: 1, most: 8 }]);
  });
});
