import { setImmediate as soon } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { createTestDatabase } from '../../../test/database/database.ts';
import { createRateMover } from '../../limits/move-rates.ts';
import { deleteOldRates } from '../../limits/rate-queries.ts';
import { createTenant } from '../../tenants/create-tenant.ts';
import { createRateLimiter, type LimitedNumber } from './rate-limiter.ts';
import type { MoveRate } from './rate-position.ts';

type RateLimiter = ReturnType<typeof createRateLimiter>;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let number: LimitedNumber;
let moves = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const slug = `shop-${performance.now()}`.replace('.', '-');
  const { id } = await createTenant(database.db, { slug, plan: 'pro', cell: '' });
  number = { tenantId: id, phoneNumberId: '1' };
  moves = 0;
});

/** The limiter of one process. All of them share the database. */
function limiter(messagesPerSecond = 80): RateLimiter {
  const move = createRateMover(database.db);
  const moveRate: MoveRate = (asked) => {
    moves++;
    return move(asked);
  };
  return createRateLimiter({ messagesPerSecond, moveRate });
}

const forever = Number.POSITIVE_INFINITY;

/** Reserves places for many messages at the same time, each to another phone. Returns how many got one. */
async function reserveMany(
  limiter: RateLimiter,
  count: number,
  { from = number, maxWaitMs = forever, phone = (each: number) => `+1415555${each}` } = {},
): Promise<number> {
  const reservations = await Promise.all(
    Array.from({ length: count }, (_, each) => limiter.reserve(from, phone(each), maxWaitMs)),
  );
  return reservations.filter((each) => 'waitMs' in each).length;
}

/** Expects that the last of many messages that come at the same time is sent after so many seconds. */
async function expectWait(
  limiter: RateLimiter,
  { count, seconds, from = number }: { count: number; seconds: number; from?: LimitedNumber },
): Promise<void> {
  const startedAt = performance.now();
  await reserveMany(limiter, count - 1, { from });
  const last = await limiter.reserve(from, '+1', forever);
  const passed = (performance.now() - startedAt) / 1_000;
  const at = passed + ('waitMs' in last ? last.waitMs : 0) / 1_000;
  expect(at).toBeGreaterThan(seconds - 0.01);
  expect(at).toBeLessThan(seconds + passed + 0.01);
}

describe('the rate of a number', () => {
  test('spreads messages beyond the burst over time', async () => {
    await expectWait(limiter(), { count: 865, seconds: 10 });
  });

  test('is higher for a number with a higher throughput, which does not delay others', async () => {
    const limited = limiter();
    const fast = { ...number, phoneNumberId: '2', messagesPerSecond: 1_000 };
    await expectWait(limited, { count: 10_801, seconds: 10, from: fast });
    expect(await limited.reserve(number, '+1', 0)).toEqual({ waitMs: 0 });
  });

  test('is shared by all processes: what one reserves, others wait for', async () => {
    const startedAt = performance.now();
    await reserveMany(limiter(), 144);
    const other = limiter();
    // A few without asking.
    expect(await reserveMany(other, 8, { maxWaitMs: 0 })).toBe(8);
    expect(await other.reserve(number, '+1', 0)).toEqual({ refusedForSeconds: expect.any(Number) });
    const last = await other.reserve(number, '+2', forever);
    // If the first process dies, what it has reserved lasts for this second only.
    const at = performance.now() - startedAt + ('waitMs' in last ? last.waitMs : 0);
    expect(at).toBeGreaterThan(1_000);
    expect(at).toBeLessThan(1_200 + 2 * (performance.now() - startedAt));
  });

  test('is not exceeded by processes that get a burst at the same time', async () => {
    const startedAt = performance.now();
    const reserved = await Promise.all(
      [limiter(), limiter(), limiter()].map((each) => reserveMany(each, 300, { maxWaitMs: 2_000 })),
    );
    const passedMs = performance.now() - startedAt;
    const total = reserved.reduce((sum, each) => sum + each);
    // The burst, two seconds of waiting, and eight messages of each further process.
    expect(total).toBeLessThanOrEqual(64 + 160 + 16 + 1 + passedMs / 12.5);
    expect(total).toBeGreaterThanOrEqual(224);
  });

  test('costs no statement for a few messages, and few statements for many', async () => {
    const limited = limiter(1_000);
    await reserveMany(limited, 50);
    expect(moves).toBe(0);
    for (let sent = 0; sent < 20; sent++) {
      await reserveMany(limited, 50, { phone: (each) => `+1415${sent}5${each}` });
    }
    expect(moves).toBeGreaterThan(0);
    expect(moves).toBeLessThanOrEqual(21);
  });

  test('returns what was reserved for messages that are not sent, also to other processes', async () => {
    const limited = limiter();
    await reserveMany(limited, 864);
    for (let sent = 0; sent < 864; sent++) limited.release(number, `+1415555${sent}`);
    expect(await limited.reserve(number, '+2', 0)).toEqual({ waitMs: 0 });
    const others = () => reserveMany(limiter(), 20, { maxWaitMs: 0 });
    await eventually(async () => (await others()) === 20);
  });

  test('holds for a process alone while the database is away', async () => {
    const { db, drop } = await createTestDatabase();
    await drop();
    const alone = createRateLimiter({ messagesPerSecond: 80, moveRate: createRateMover(db) });
    await expectWait(alone, { count: 865, seconds: 10 });
  });

  test('of zero disables the limiter', async () => {
    expect(await reserveMany(limiter(0), 1_000, { maxWaitMs: 0 })).toBe(1_000);
    expect(moves).toBe(0);
  });
});

describe('inbound messages', () => {
  test('use the throughput', async () => {
    const limited = limiter();
    limited.countInbound(number, 64);
    await expectWait(limited, { count: 801, seconds: 10 });
  });

  test('however many they are, delay the next send by at most a second', async () => {
    const limited = limiter();
    for (const messages of [1_000, 1, 1_000]) limited.countInbound(number, messages);
    await expectWait(limited, { count: 1, seconds: 1 });
    number = { ...number, phoneNumberId: '2' };
    const ahead = limiter();
    await reserveMany(ahead, 864);
    const before = await ahead.reserve(number, '+1', -1);
    ahead.countInbound(number, 1_000);
    expect(await ahead.reserve(number, '+1', -1)).toEqual(before);
  });
});

test('the rate of each phone is separate, and all processes share it', async () => {
  const toOne = { maxWaitMs: 0, phone: () => '+1' };
  const limited = limiter(1_000);
  expect(await reserveMany(limited, 50, toOne)).toBe(44);
  expect(await limited.reserve(number, '+1', 0)).toEqual({ refusedForSeconds: 6 });
  // Another process sends six without asking.
  expect(await reserveMany(limiter(1_000), 50, toOne)).toBe(6);
  expect(await limited.reserve(number, '+2', 0)).toEqual({ waitMs: 0 });
});

test('a rate that somebody used within ten minutes is not forgotten, and one that nobody did is', async () => {
  const { db } = database;
  await createRateMover(db)({ tenantId: number.tenantId, limited: '1', movedMs: 100 });
  const stored = async () => {
    const { rows } = await db.pool.query('select from send_rates where tenant_id = $1', [
      number.tenantId,
    ]);
    return rows.length > 0;
  };
  for (const [age, left] of [
    ['9 minutes', true],
    ['11 minutes', false],
  ]) {
    await db.pool.query(
      'update send_rates set moved_at = clock_timestamp() - $2::interval where tenant_id = $1',
      [number.tenantId, age],
    );
    await deleteOldRates(db);
    expect(await stored(), `${age}`).toBe(left);
  }
});

test('acquire waits', async () => {
  const limited = limiter();
  await reserveMany(limited, 864);
  const waiting = limited.acquire(number, '+1', forever);
  expect(await Promise.race([waiting, soon('waits')])).toBe('waits');
});
