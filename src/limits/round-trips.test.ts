import { describe, expect, test } from 'vitest';
import { planOf } from '../../test/database/plan-of.ts';
import { countRoundTrips } from '../../test/database/round-trips.ts';
import { testApp } from '../../test/program/app.ts';
import { createTestClock, moveToFreshMinute } from '../../test/program/clock.ts';
import { claimKeys } from '../idempotency/claim-queries.ts';
import { extendLeases } from '../idempotency/queries.ts';
import type { Db } from '../platform/database/database.ts';
import { type Caller, createCallerFinder } from '../tenants/api/find-caller.ts';
import { createRequestCounter } from './count-request.ts';
import { addUsage } from './usage-queries.ts';

const app = testApp();

const roundTripsOf = (work: () => Promise<unknown>) => countRoundTrips(app, work);

describe('the requests of one event-loop tick', () => {
  test('find their callers in one round trip, and in none for the next second', async () => {
    const shops = await Promise.all(
      Array.from({ length: 20 }, () => app.tenant({ number: false })),
    );
    const clock = createTestClock();
    // The clock is stopped, because cached callers expire at fixed times.
    clock.elapsedMs = () => clock.offsetMs;
    const callers = createCallerFinder({ db: app.db, clock });
    const findAll = async () => {
      const expected = Array.from({ length: 100 }, (_, index) => shops[index % shops.length]!);
      const found = await Promise.all(
        expected.map(async ({ slug, token }) => {
          const known = callers.cached(slug, token);
          return known ? { found: known } : callers.find(slug, token, '127.0.0.1');
        }),
      );
      expect(found.map((each) => 'found' in each && each.found.tenantId)).toEqual(
        expected.map(({ id }) => id),
      );
    };
    expect([await roundTripsOf(findAll), await roundTripsOf(findAll)]).toEqual([1, 0]);
    clock.offsetMs += 1_000;
    expect(await roundTripsOf(findAll)).toBe(1);
  });

  test('are counted in one round trip, each with its own number', async () => {
    const shops = await Promise.all(Array.from({ length: 5 }, () => app.tenant({ number: false })));
    const countRequest = createRequestCounter(app.services);
    const callers: Caller[] = Array.from({ length: 100 }, (_, index) => {
      const { id, slug, tokenId } = shops[index % 5]!;
      return { tenantId: id, slug, tokenId, plan: 'starter', abilities: new Set() };
    });
    let counts: number[] = [];
    const trips = await roundTripsOf(async () => {
      const counted = await Promise.all(
        callers.map((caller) => countRequest(caller, { counted: undefined })),
      );
      counts = counted.map((each) => each.minute_used);
    });
    expect(trips).toBe(1);
    expect(counts).toEqual(callers.map((_, index) => Math.floor(index / 5) + 1));
  });

  test('are refused over their minute in one round trip', async () => {
    const shop = await app.tenant({ plan: 'starter', number: false });
    await moveToFreshMinute(app);
    await shop.call('GET', '/contacts');
    const countRequest = createRequestCounter(app.services);
    const { id: tenantId, slug, tokenId } = shop;
    const caller: Caller = { tenantId, slug, tokenId, plan: 'starter', abilities: new Set() };
    let ends: string[] = [];
    const trips = await roundTripsOf(async () => {
      const requests = Array.from({ length: 500 }, () =>
        countRequest(caller, { counted: undefined }),
      );
      ends = (await Promise.allSettled(requests)).map(({ status }) => status);
    });
    expect(trips).toBe(1);
    // One request came before, to find the caller.
    expect(ends).toEqual([...Array(59).fill('fulfilled'), ...Array(441).fill('rejected')]);
  });
});

const key = { tenantId: 1, tokenId: 1, key: 'a' };
const statements: [string, string, (db: Db) => Promise<unknown>][] = [
  [
    'claiming keys',
    'idempotency_keys',
    (db) => claimKeys(db, [{ ...key, fingerprint: Buffer.alloc(32), waitedFor: null }], 1),
  ],
  ['extending leases', 'idempotency_keys', (db) => extendLeases(db, [{ ...key, attemptId: 1 }], 1)],
  [
    'adding usage',
    'tokens',
    (db) =>
      addUsage(db, [
        {
          ...key,
          day: '2026-11-21',
          lastUsedAt: new Date(),
          requests: 1,
          refusals: 0,
          failures: 0,
          texts: 0,
          media: 0,
          templates: 0,
        },
      ]),
  ],
];

test.each(statements)('%s finds the rows of %s by an index', async (_, table, run) => {
  const plan = await planOf(app, run);
  expect(plan).not.toMatch(new RegExp(`Seq Scan on ${table}`));
  expect(plan).toMatch(new RegExp(`Index (Only )?Scan using ${table}_`));
});
