import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPacer } from './pacer.ts';

const number = { tenantId: 1, phoneNumberId: '1' };

/** How long the nth of many turns, each for another phone, would wait at this moment. */
async function waitOf(pacer: ReturnType<typeof createPacer>, count: number, own = number) {
  for (let taken = 1; taken < count; taken++) {
    void pacer.turn(own, `+1415555${taken}`, Number.POSITIVE_INFINITY);
  }
  const turn = await pacer.turn(own, '+1', -1);
  return 'refusedForSeconds' in turn ? turn.refusedForSeconds : 0;
}

test('a number spreads what is beyond its burst over time', async () => {
  expect(await waitOf(createPacer({ messagesPerSecond: 80, processes: 1 }), 864)).toBe(10);
});

test('processes share the rate', async () => {
  expect(await waitOf(createPacer({ messagesPerSecond: 80, processes: 4 }), 216)).toBe(10);
});

test('a number of a higher throughput goes faster, and its neighbour does not wait for it', async () => {
  const pacer = createPacer({ messagesPerSecond: 80, processes: 1 });
  const fast = { tenantId: 1, phoneNumberId: '2', messagesPerSecond: 1_000 };
  expect(await waitOf(pacer, 10_800, fast)).toBe(10);
  expect(await pacer.turn(number, '+1', 0)).toEqual({ waitMs: 0 });
});

test('inbound messages take from the throughput', async () => {
  const pacer = createPacer({ messagesPerSecond: 80, processes: 1 });
  pacer.countInbound(number, 64);
  expect(await waitOf(pacer, 801)).toBe(10);
});

test('however many inbound messages come, the next one waits for a second at most', async () => {
  const pacer = createPacer({ messagesPerSecond: 80, processes: 1 });
  for (const messages of [1_000, 1, 1_000]) pacer.countInbound(number, messages);
  expect(await waitOf(pacer, 1)).toBe(1);
  const ahead = createPacer({ messagesPerSecond: 80, processes: 1 });
  expect(await waitOf(ahead, 864)).toBe(10);
  ahead.countInbound(number, 1_000);
  expect(await waitOf(ahead, 1)).toBe(10);
});

test('the pair limit holds for each phone and across the share of processes', async () => {
  for (const [processes, burst] of [
    [1, 44],
    [4, 11],
  ] as const) {
    const pacer = createPacer({ messagesPerSecond: 1_000, processes });
    const turns = [];
    for (let sent = 0; sent <= burst; sent++) turns.push(await pacer.turn(number, '+1', 0));
    expect(turns.filter((turn) => 'waitMs' in turn)).toHaveLength(burst);
    expect(turns.at(-1)).toEqual({ refusedForSeconds: 6 * processes });
    expect(await pacer.turn(number, '+2', 0)).toEqual({ waitMs: 0 });
  }
});

test('a turn is waited for, and one that is given back is there for another message', async () => {
  const pacer = createPacer({ messagesPerSecond: 80, processes: 1 });
  expect(await waitOf(pacer, 864)).toBe(10);
  const waiting = pacer.turn(number, '+1', Number.POSITIVE_INFINITY);
  expect(await Promise.race([waiting, soon('waits')])).toBe('waits');
  for (let taken = 1; taken < 864; taken++) pacer.giveBack(number, `+1415555${taken}`);
  expect(pacer.take(number, '+2', 0)).toEqual({ waitMs: 0 });

  for (let sent = 0; sent < 43; sent++) pacer.take(number, '+2', Number.POSITIVE_INFINITY);
  expect(pacer.take(number, '+2', 2_000)).toEqual({ refusedForSeconds: 6 });
  pacer.giveBack(number, '+2');
  expect(pacer.take(number, '+2', 2_000)).toHaveProperty('waitMs');
});

test('zero leaves pacing to the network', async () => {
  const pacer = createPacer({ messagesPerSecond: 0, processes: 1 });
  for (let sent = 0; sent < 1_000; sent++) {
    expect(await pacer.turn(number, '+1', 0)).toEqual({ waitMs: 0 });
  }
});
