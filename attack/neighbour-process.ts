import { once } from 'node:events';
import { Agent, request } from 'undici';

/** The load of the neighbour: texts at a fixed rate, with several tokens in rotation. */
export type NeighbourLoad = { url: string; slug: string; tokens: string[]; perSecond: number };

/** Latencies of one window in milliseconds, and the number of sends that did not get a 200. */
export type Window = { sends: number; failures: number; p50: number; p99: number; max: number };

/**
 * A healthy tenant that keeps sending while others attack, in its own process. The latency of a send counts
 * from the time when it was due. Every message from the parent ends a window and reports it.
 */
const [load] = (await once(process, 'message')) as [NeighbourLoad];
const dispatcher = new Agent({
  connections: 16,
  // Its own address, because limits by client address must not confuse it with the attackers.
  connect: { rejectUnauthorized: false, localAddress: '127.0.0.99' },
});
let latencies: number[] = [];
let failures = 0;
let count = 0;
let stopped = false;

process.on('message', (message) => {
  if (message === 'stop') stopped = true;
  process.send?.(closeWindow());
  if (stopped) process.disconnect();
});
process.send?.('ready');

let dueAt = performance.now();
while (!stopped) {
  dueAt += 1_000 / load.perSecond;
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
  void send(dueAt);
}
await dispatcher.destroy();

async function send(startedAt: number): Promise<void> {
  const index = count++;
  try {
    const response = await request(`${load.url}/api/${load.slug}/messages/send`, {
      dispatcher,
      method: 'POST',
      headers: {
        authorization: `Bearer ${load.tokens[index % load.tokens.length]}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        phone_number: `+1415555${String(index % 10_000).padStart(4, '0')}`,
        type: 'text',
        message: `Your order ${index} is on its way.`,
      }),
    });
    await response.body.dump();
    if (response.statusCode !== 200) failures++;
  } catch {
    if (!stopped) failures++;
  }
  latencies.push(performance.now() - startedAt);
}

function closeWindow(): Window {
  const sorted = latencies.sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  const window = { sends: sorted.length, failures, p50: at(0.5), p99: at(0.99), max: at(1) };
  latencies = [];
  failures = 0;
  return window;
}
