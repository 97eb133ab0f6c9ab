import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setCounts } from '../../test/features/token-counts.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { moveToFreshMinute } from '../../test/program/clock.ts';
import { type ApiProcess, sharedApiProcesses } from '../../test/program/service-processes.ts';
import { control } from '../../test/servers/control.ts';
import { plans } from '../tenants/plans.ts';

const app = testApp();
const text = { type: 'text', message: 'Hello' };
const tokenCount = 6;
const refusedPhone = '+14155550199';

type Token = { shop: TestTenant; value: string; id: number };
type Result = { token: Token; status: number; failure?: string; quotaLeft: number };

/**
 * Creates tokens of different tenants, each with a number, so that the network's own limits do not
 * matter.
 */
function tokensOfShops(count: number, planOf: (index: number) => string): Promise<Token[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const shop = await quietShop(planOf(index));
      return { shop, value: shop.token, id: shop.tokenId };
    }),
  );
}

const phoneOf = (index: number) => ({ phone_number: `+1415555${1000 + (index % 3331)}` });

async function callProcess(
  { url, dispatcher }: ApiProcess,
  token: Token,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Result> {
  const response = await request(`${url}/api/${token.shop.slug}${path}`, {
    dispatcher,
    method,
    headers: { authorization: `Bearer ${token.value}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const text = await response.body.text();
  return {
    token,
    status: response.statusCode,
    failure: response.statusCode >= 500 ? text : undefined,
    quotaLeft: Number(response.headers['x-message-quota-remaining']),
  };
}

/** Makes all requests at once, spread evenly over processes and tokens. */
function everywhere(
  processes: ApiProcess[],
  tokens: Token[],
  times: number,
  call: (process: ApiProcess, token: Token, index: number) => Promise<Result>,
): Promise<Result[]> {
  return Promise.all(
    Array.from({ length: times * tokens.length }, (_, index) =>
      call(
        processes[Math.floor(index / tokens.length) % processes.length]!,
        tokens[index % tokens.length]!,
        index,
      ),
    ),
  );
}

/**
 * Starts the work at the beginning of a minute, and repeats it if a slow machine takes longer than
 * that minute.
 */
async function inOneMinute(work: () => Promise<Result[]>): Promise<Result[]> {
  for (;;) {
    await moveToFreshMinute(app);
    const begun = performance.now();
    const results = await work();
    if (performance.now() - begun < 55_000) return results;
  }
}

/** The server errors, which are checked first because they make the counts wrong. */
function failuresOf(results: Result[]): string[] {
  return results.flatMap(({ status, failure }) => (failure ? [`${status} ${failure}`] : []));
}

function countByToken(results: Result[], matches: (result: Result) => boolean) {
  const counts = new Map(results.map(({ token }) => [token.id, 0]));
  for (const { token } of results.filter(matches)) {
    counts.set(token.id, counts.get(token.id)! + 1);
  }
  return [...counts.values()];
}

/** Creates a tenant whose sends cause no callbacks, and for whom the network refuses one phone. */
async function quietShop(plan: string): Promise<TestTenant> {
  const shop = await app.tenant({ plan });
  const number = { phone_number_id: shop.number.phone_number_id };
  await control(app, 'POST', '/simulator/behaviour', { ...number, callbacks: false });
  await control(app, 'POST', '/simulator/behaviour', {
    ...number,
    phone: refusedPhone,
    failWith: 131030,
  });
  return shop;
}

async function deadlocks(): Promise<number> {
  const { rows } = await app.db.pool.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  return rows[0].deadlocks;
}

describe('three processes on one database', () => {
  const processes = sharedApiProcesses(app, 3);
  // Other files have used this database before.
  let before: number;
  beforeEach(async () => {
    before = await deadlocks();
  });
  afterEach(async () => {
    expect(await deadlocks()).toBe(before);
  });

  test('accept exactly as many requests of each token as the minute’s limit, including sends', async () => {
    const planOf = (index: number) => (index % 2 ? 'starter' : 'growth');
    const tokens = await tokensOfShops(tokenCount, planOf);
    const results = await inOneMinute(() =>
      everywhere(processes, tokens, 200, (process, token, index) =>
        Math.floor(index / (3 * tokenCount)) % 5 === 0
          ? callProcess(process, token, 'POST', '/messages/send', { ...text, ...phoneOf(index) })
          : callProcess(process, token, 'GET', '/messages/none'),
      ),
    );
    expect(results).toHaveLength(200 * tokenCount);
    expect(failuresOf(results)).toEqual([]);
    expect(countByToken(results, ({ status }) => status !== 429)).toEqual(
      tokens.map((_, index) => plans[planOf(index)].requestsPerMinute),
    );
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([200, 404, 429]));
  }, 300_000);

  test('accept exactly as many messages of each token as the day’s limit, not counting refused ones', async () => {
    const tokens = await tokensOfShops(tokenCount, () => 'growth');
    const ids = tokens.map(({ id }) => id);
    const left = 30;
    await moveToFreshMinute(app);
    await setCounts(app, ids, { messages: plans.growth.messagesPerDay - left });
    const rush = async (times: number, isRefused: (index: number) => boolean) => {
      await app.moveClock(60_000);
      return everywhere(processes, tokens, times, (process, token, index) =>
        callProcess(process, token, 'POST', '/messages/send', {
          ...text,
          ...(isRefused(index) ? { phone_number: refusedPhone } : phoneOf(index)),
        }),
      );
    };
    // The network refuses one in three, beginning with the first of every token and process. Until the count
    // of a refused send is returned, another send may find the day used up. The second rush uses the rest.
    const results = [
      ...(await rush(66, (index) => Math.floor(index / tokenCount / processes.length) % 3 === 0)),
      ...(await rush(40, () => false)),
    ];
    expect(failuresOf(results)).toEqual([]);
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([200, 422, 429]));
    expect(countByToken(results, ({ status }) => status === 200)).toEqual(tokens.map(() => left));
    const last = await rush(1, () => false);
    expect(new Set(last.map(({ status, quotaLeft }) => `${status} ${quotaLeft}`))).toEqual(
      new Set(['429 0']),
    );
    const { rows } = await app.db.pool.query(
      `select token_id,
              (select messages from token_days
               where token_days.token_id = sent.token_id) - $2 as counted,
              count(*)::int as sent
       from stored_messages sent where token_id = any($1) and status <> 'failed' group by token_id`,
      [ids, plans.growth.messagesPerDay - left],
    );
    expect(rows).toHaveLength(tokenCount);
    for (const row of rows) expect(row).toMatchObject({ counted: left, sent: left });
  }, 300_000);
});
