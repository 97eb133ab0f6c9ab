import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { holdLocks, lockWaiters } from '../../test/database/locks.ts';
import { setCounts } from '../../test/features/token-counts.ts';
import { type TestResponse, type TestTenant, testApp } from '../../test/program/app.ts';
import { moveToFreshMinute } from '../../test/program/clock.ts';

const app = testApp();
let phones = 0;

const send = (shop: TestTenant) =>
  shop.call('POST', '/messages/send', {
    phone_number: `+1415555${1000 + phones++}`,
    type: 'text',
    message: 'Hello',
  });
const statusesOf = (answers: TestResponse[]) => answers.map(({ status }) => status).sort();
const passed = (answers: TestResponse[]) => answers.filter(({ status }) => status === 200);
const remaining = (answers: TestResponse[], header: string) =>
  answers.map(({ headers }) => Number(headers[header])).sort((a, b) => b - a);

async function countsOf({ id, tokenId }: TestTenant) {
  const { rows } = await app.db.pool.query(
    `select requests, messages as of_day,
            (select count(*)::int from stored_messages where tenant_id = $1) as stored
     from token_days
     where tenant_id = $1 and token_id = $2`,
    [id, tokenId],
  );
  return rows[0];
}

const usedUp = {
  minute: {
    before: { requests: 58 },
    left: 'ratelimit-remaining',
    counts: { requests: 63, of_day: 2, stored: 2 },
  },
  day: {
    before: { messages: 998 },
    left: 'x-message-quota-remaining',
    counts: { requests: 5, of_day: 1000, stored: 2 },
  },
};

test.each(['minute', 'day'] as const)(
  'a token that reaches its limit of the %s does not affect others in the same batch, and no count is raised twice',
  async (limit) => {
    const [first, ending, neighbour] = [
      await app.tenant(),
      await app.tenant({ plan: 'starter' }),
      await app.tenant({ plan: 'starter' }),
    ];
    await moveToFreshMinute(app);
    const { before, left, counts } = usedUp[limit];
    await setCounts(app, [ending.tokenId], before);
    const holder = await holdLocks(app, 'lock table messages in share row exclusive mode');
    // Sends that arrive while the first one waits for the lock form one batch afterwards.
    const held = send(first);
    await lockWaiters(app, { like: '%counted as (%' });
    const together = [ending, neighbour].map((shop) =>
      Promise.all(Array.from({ length: 5 }, () => send(shop))),
    );
    await pause(300);
    await holder.query('commit');

    expect((await held).status).toBe(200);
    const [ofEnding, ofNeighbour] = [await together[0]!, await together[1]!];
    expect(statusesOf(ofEnding)).toEqual([200, 200, 429, 429, 429]);
    expect(remaining(passed(ofEnding), left)).toEqual([1, 0]);
    expect(await countsOf(ending)).toEqual(counts);
    expect(statusesOf(ofNeighbour)).toEqual([200, 200, 200, 200, 200]);
    expect(remaining(ofNeighbour, 'ratelimit-remaining')).toEqual([59, 58, 57, 56, 55]);
    expect(remaining(ofNeighbour, 'x-message-quota-remaining')).toEqual([999, 998, 997, 996, 995]);
    expect(await countsOf(neighbour)).toEqual({ requests: 5, of_day: 5, stored: 5 });

    expect((await send(ending)).status).toBe(429);
    expect((await send(neighbour)).status).toBe(200);
    expect(await countsOf(neighbour)).toEqual({ requests: 6, of_day: 6, stored: 6 });
  },
);

test('if the first sends of a day arrive at once, no more pass than the minute’s limit', async () => {
  const [first, eager] = [await app.tenant(), await app.tenant({ plan: 'starter' })];
  await moveToFreshMinute(app);
  const holder = await holdLocks(app, 'lock table messages in share row exclusive mode');
  const held = send(first);
  await lockWaiters(app, { like: '%counted as (%' });
  const together = Promise.all(Array.from({ length: 65 }, () => send(eager)));
  await pause(300);
  await holder.query('commit');

  expect((await held).status).toBe(200);
  const answers = await together;
  expect(passed(answers)).toHaveLength(60);
  const left = Array.from({ length: 60 }, (_, index) => 59 - index);
  expect(remaining(passed(answers), 'ratelimit-remaining')).toEqual(left);
  expect(await countsOf(eager)).toEqual({ requests: 65, of_day: 60, stored: 60 });
});
