import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { type Entry, startedBetween } from './ledger.ts';

/** Creates contacts of a tenant at a steady rate, and measures how long each takes. */
export function startNeighbour(
  url: string,
  { slug, tokens }: { slug: string; tokens: string[] },
  perSecond: number,
) {
  const dispatcher = new Agent({ allowH2: false });
  const entries: Entry[] = [];
  const underWay = new Set<Promise<void>>();
  const began = performance.now();
  let stopped = false;

  async function create(index: number): Promise<void> {
    const startedAt = performance.now() - began;
    const entry = { what: 'create', startedAt, status: 0, code: undefined, messageId: undefined };
    try {
      const response = await request(`${url}/api/${slug}/contacts`, {
        dispatcher,
        method: 'POST',
        headers: {
          authorization: `Bearer ${tokens[index % tokens.length]}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ firstname: 'Grace', phone: `+1512${5_550_000 + index}` }),
      });
      await response.body.dump();
      entry.status = response.statusCode;
    } catch {
      // The status stays 0.
    }
    entries.push({ ...entry, tookMs: performance.now() - began - startedAt });
  }

  async function run(): Promise<void> {
    for (let index = 0; !stopped; index++) {
      const work = create(index);
      underWay.add(work);
      void work.finally(() => underWay.delete(work));
      await sleep(1_000 / perSecond);
    }
  }

  const running = run();
  return {
    entries,
    slowest(from: number, to: number): number {
      return Math.max(0, ...startedBetween(entries, from, to).map(({ tookMs }) => tookMs));
    },
    /** The time in milliseconds that 99 % of the requests of a time span stayed below. */
    p99(from: number, to: number): number {
      const times = startedBetween(entries, from, to)
        .map(({ tookMs }) => tookMs)
        .sort((one, two) => one - two);
      return times[Math.floor(times.length * 0.99)] ?? 0;
    },
    async stop(): Promise<void> {
      stopped = true;
      await running;
      await Promise.all(underWay);
      await dispatcher.destroy();
    },
  };
}
