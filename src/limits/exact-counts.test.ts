import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { type ApiProcess, startApiProcesses } from '../../test/api-process.ts';
import { control, type TestTenant, testApp } from '../../test/app.ts';
import { moveToFreshMinute } from '../../test/clock.ts';
import { createToken } from '../tenants/create-token.ts';
import { plans } from './plans.ts';

const app = testApp();
const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
const refusedPhone = '+14155550199';

type Token = { shop: TestTenant; value: string; id: number };
type Result = { token: Token; status: number; quotaLeft: number };

async function tokensOf(shop: TestTenant, count: number): Promise<Token[]> {
  const made = await Promise.all(
    Array.from({ length: count }, () =>
      createToken(app.db, shop.id, { name: 'one of many', abilities: ['all'], active: true }),
    ),
  );
  return made.map(({ value, token }) => ({ shop, value, id: token.id }));
}

async function callProcess(
  { url, dispatcher }: ApiProcess,
  token: Token,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Result> {
  const answer = await request(`${url}/api/${token.shop.slug}${path}`, {
    dispatcher,
    method,
    headers: { authorization: `Bearer ${token.value}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  await answer.body.dump();
  return {
    token,
    status: answer.statusCode,
    quotaLeft: Number(answer.headers['x-message-quota-remaining']),
  };
}

/** The processes in turn, the tokens in turn, all requests under way at once. */
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

function countByToken(results: Result[], matches: (result: Result) => boolean) {
  const counts = new Map(results.map(({ token }) => [token.id, 0]));
  for (const { token } of results.filter(matches)) {
    counts.set(token.id, counts.get(token.id)! + 1);
  }
  return [...counts.values()];
}

/** Sends to the refused phone are refused by the network at once; nobody is told of the others. */
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

describe('four processes on one database', () => {
  test('let exactly the minute’s limit of each token pass, sends among them', async () => {
    const processes = await startApiProcesses(app, 4);
    const starter = await quietShop('starter');
    const growth = await quietShop('growth');
    const tokens = [...(await tokensOf(starter, 25)), ...(await tokensOf(growth, 25))];
    const offsetMs = await moveToFreshMinute(app);
    for (const each of processes) await each.moveClock(offsetMs);

    const results = await everywhere(processes, tokens, 200, (process, token, index) =>
      Math.floor(index / 200) % 5 === 0
        ? callProcess(process, token, 'POST', '/messages/send', text)
        : callProcess(process, token, 'GET', '/messages/none'),
    );
    expect(results).toHaveLength(10_000);
    for (const [shop, plan] of [
      [starter, plans.starter] as const,
      [growth, plans.growth] as const,
    ]) {
      const passed = countByToken(
        results.filter(({ token }) => token.shop === shop),
        ({ status }) => status !== 429,
      );
      expect(passed).toEqual(Array.from({ length: 25 }, () => plan.requestsPerMinute));
    }
  }, 120_000);

  test('let exactly the day’s messages of each token pass, refused ones given back', async () => {
    const processes = await startApiProcesses(app, 4);
    // A number for each, so that the network's own limits stay out of it.
    const shops = await Promise.all(Array.from({ length: 50 }, () => quietShop('growth')));
    const tokens = (await Promise.all(shops.map((shop) => tokensOf(shop, 1)))).flat();
    const ids = tokens.map(({ id }) => id);
    const left = 30;
    let offsetMs = await moveToFreshMinute(app);
    await app.db.pool.query(
      `insert into token_days (tenant_id, token_id, day, messages, granted)
       select tenant_id, id, (now() + $2 * interval '1 ms')::date, $3, 0
       from tokens where id = any($1)`,
      [ids, offsetMs, plans.growth.messagesPerDay - left],
    );
    const rush = async (times: number, isRefused: (index: number) => boolean) => {
      for (const each of processes) await each.moveClock(offsetMs);
      offsetMs += 60_000;
      return everywhere(processes, tokens, times, (process, token, index) =>
        callProcess(process, token, 'POST', '/messages/send', {
          ...text,
          phone_number: isRefused(index) ? refusedPhone : `+1415555${1000 + (index % 3331)}`,
        }),
      );
    };
    // One of three is refused, in a rhythm that meets every token and process. While a refused send
    // holds its place another may find the day used up: the second rush fills what is left.
    const results = [
      ...(await rush(66, (index) => Math.floor(index / 50) % 3 === 0)),
      ...(await rush(40, () => false)),
    ];
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
       from messages sent where token_id = any($1) and status <> 'failed' group by token_id`,
      [ids, plans.growth.messagesPerDay - left],
    );
    expect(rows).toHaveLength(50);
    for (const row of rows) expect(row).toMatchObject({ counted: left, sent: left });
  }, 120_000);
});
