import { request } from 'undici';
import { expect, test } from 'vitest';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { type ApiProcess, startApiProcesses } from '../../../test/program/service-processes.ts';
import { control } from '../../../test/servers/control.ts';
import type { ChatMessage } from '../../simulator/types.ts';
import { createToken } from '../../tenants/tokens/create-token.ts';

const app = testApp();

const perSecond = 80;
const burst = 64;
/** What each process sends before it asks the others. */
const allowance = 8;

/** Sends almost as much as the number may in two seconds. */
async function flood(
  { url, dispatcher }: ApiProcess,
  shop: TestTenant,
  { token, from }: { token: string; from: number },
): Promise<number[]> {
  const send = async (index: number) => {
    const { statusCode, body } = await request(`${url}/api/${shop.slug}/messages/send`, {
      dispatcher,
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        phone_number: `+1415${5_550_000 + from + index}`,
        type: 'text',
        message: 'Hello',
      }),
    });
    await body.dump();
    return statusCode;
  };
  return Promise.all(Array.from({ length: 150 }, (_, index) => send(index)));
}

test('two processes send together as fast as their number may, and no faster', async () => {
  const shop = await app.tenant();
  // The simulated network counts what arrives, and refuses nothing.
  await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: shop.number.phone_number_id,
    limits: { messages_per_second: null },
  });
  const processes = await startApiProcesses(app, 2, undefined, {
    PARLEY_MESSAGES_PER_SECOND: String(perSecond),
  });
  const options = { abilities: ['all'], active: true };
  const tokens = await Promise.all(
    processes.map((_, index) => createToken(app.db, shop.id, { name: `t${index}`, ...options })),
  );
  const startedAt = Date.now();
  const responses = await Promise.all(
    processes.map((each, index) =>
      flood(each, shop, { token: tokens[index]!.value, from: 1_000 * index }),
    ),
  );
  for (const statuses of responses) expect(statuses).toContain(200);
  const { messages } = (await control(app, 'GET', '/simulator/messages?limit=9999')) as {
    messages: ChatMessage[];
  };
  const times = messages.map(({ at }) => at).sort((a, b) => a - b);
  // Since before the first send: a message that arrives late only makes this easier, the first one too.
  for (const [before, at] of times.entries()) {
    const allowed = burst + 2 * allowance + (perSecond * (at - startedAt)) / 1_000;
    expect(before).toBeLessThanOrEqual(allowed);
  }
  expect(times.length).toBeGreaterThanOrEqual(burst + 1.5 * perSecond);
});
