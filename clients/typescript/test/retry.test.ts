import { expect, test } from 'vitest';
import { type RetryOptions, retrying } from '../src/retry.ts';

/** One response of the service: a status, optionally with `Retry-After` and a code, or no response. */
type Reply = number | [status: number, retryAfter?: string, code?: string] | 'lost';

async function run(replies: Reply[], options: RetryOptions = {}, init: RequestInit = {}) {
  const waits: number[] = [];
  const bodies: string[] = [];
  const send = retrying(
    async (request) => {
      bodies.push(await request.text());
      const reply = replies[bodies.length - 1]!;
      if (reply === 'lost') throw new TypeError('socket hang up');
      const [status, retryAfter, code] = [reply].flat() as [number, string?, string?];
      return new Response(JSON.stringify({ code }), {
        status,
        headers: retryAfter ? { 'retry-after': retryAfter } : {},
      });
    },
    {
      wait: async (ms) => {
        waits.push(ms);
      },
      ...options,
    },
  );
  const request = new Request('https://localhost/api/demo/groups', init);
  const outcome = await send(request).then(
    ({ status }) => status,
    (error: Error) => error.message,
  );
  return { outcome, waits, bodies };
}

test.each([200, 400, 401, 403, 404, 422])('a response %s is final', async (status) => {
  expect(await run([status])).toMatchObject({ outcome: status, waits: [] });
});

test.each(['network_refused', 'read_too_slow'])(
  'a 500 with the code %s is final, because the same request would fail again',
  async (code) => {
    const refused: Reply = [500, '60', code];
    expect(await run([refused, 200])).toMatchObject({ outcome: 500, waits: [] });
    expect((await run([502, refused, 200])).outcome).toBe(500);
  },
);

test.each([429, 500, 502, 503])('a response %s is retried', async (status) => {
  expect((await run([status, 200])).outcome).toBe(200);
});

test('the waits are a second at least, and double', async () => {
  const { outcome, waits } = await run([500, 'lost', 429, 500, 200]);
  expect(outcome).toBe(200);
  expect(waits).toHaveLength(4);
  waits.forEach((wait, index) => {
    expect(wait).toBeGreaterThanOrEqual(1_000 * 2 ** index);
    expect(wait).toBeLessThanOrEqual(1_250 * 2 ** index);
  });
});

test('no wait is longer than allowed, nor shorter than a second', async () => {
  const { waits } = await run([500, 500, 500, 200], { maxWaitMs: 2_000 });
  expect(waits[0]).toBeLessThanOrEqual(1_250);
  expect(waits.slice(1)).toEqual([2_000, 2_000]);
  expect((await run([500, 200], { maxWaitMs: 10 })).waits).toEqual([1_000]);
});

test('the wait is Retry-After, in seconds or as a date', async () => {
  expect((await run([[429, '30'], 200])).waits).toEqual([30_000]);
  const date = new Date(Date.now() + 3_600_000).toUTCString();
  const { waits } = await run([[503, date], 200], { maxWaitMs: 4_000_000 });
  expect(waits[0]).toBeGreaterThan(3_500_000);
  expect(waits[0]).toBeLessThanOrEqual(3_600_000);
});

test('a response that asks for a longer wait than allowed is returned immediately', async () => {
  expect(await run([[429, '7200'], 200])).toMatchObject({ outcome: 429, waits: [] });
});

test('a send whose outcome is unknown is retried only while there is a Retry-After', async () => {
  const unknown = (retryAfter?: string): Reply => [500, retryAfter, 'outcome_unknown'];
  const post = { method: 'POST', body: '{}' };
  expect(await run([unknown(), 200], {}, post)).toMatchObject({ outcome: 500, waits: [] });
  const waited = await run([unknown('5'), unknown('5'), unknown(), 200], {}, post);
  expect(waited).toMatchObject({ outcome: 500, waits: [5_000, 5_000] });
  expect((await run([unknown('5'), 200], {}, post)).outcome).toBe(200);
});

test('a send is retried until the service ends its five minutes, beside other failures', async () => {
  const unknown: Reply = [500, '5', 'outcome_unknown'];
  const post = { method: 'POST', body: '{}' };
  const minutes = Array<Reply>(59).fill(unknown);
  const { outcome, waits } = await run([500, 'lost', ...minutes, 502, 200], {}, post);
  expect(outcome).toBe(200);
  expect(waits.filter((wait) => wait === 5_000)).toHaveLength(59);
  const endless = await run(Array<Reply>(100).fill(unknown), {}, post);
  expect(endless).toMatchObject({ outcome: 500, waits: Array(72).fill(5_000) });
  const failing = Array<Reply[]>(9).fill([unknown, 500]).flat();
  expect((await run(failing, {}, post)).waits).toHaveLength(9);
  const limited = await run([...minutes], { maxAttempts: 3 }, post);
  expect(limited).toMatchObject({ outcome: 500, waits: [5_000, 5_000] });
});

test('after the last attempt its response or failure is returned', async () => {
  expect((await run([500, 500, 500], { maxAttempts: 3 })).outcome).toBe(500);
  expect((await run(['lost', 'lost'], { maxAttempts: 2 })).outcome).toBe(
    'No response: socket hang up',
  );
  expect((await run([500], { maxAttempts: 1 })).waits).toEqual([]);
});

test('every attempt has the whole body', async () => {
  const { bodies } = await run([500, 500, 200], {}, { method: 'POST', body: '{"name":"x"}' });
  expect(bodies).toEqual(['{"name":"x"}', '{"name":"x"}', '{"name":"x"}']);
});

test('an aborted request ends the wait', async () => {
  const controller = new AbortController();
  const waiting = run([500, 200], { wait: undefined }, { signal: controller.signal });
  controller.abort(new Error('changed my mind'));
  expect((await waiting).outcome).not.toBe(200);
});
