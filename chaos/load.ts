import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Entry } from './ledger.ts';

export type Load = {
  entries: Entry[];
  /** Milliseconds since its start. */
  now(): number;
  /** Waits for the requests in progress. */
  stop(): Promise<void>;
};

/**
 * Sends messages and reads contacts at a steady rate, whether or not earlier requests have ended.
 *
 * @param url the address of the service or of a load balancer in front of it
 * @param perSecond requests of each kind
 */
export function startLoad(
  url: string,
  { slug, tokens }: { slug: string; tokens: string[] },
  perSecond: number,
): Load {
  const dispatcher = new Agent({ allowH2: false, connect: { rejectUnauthorized: false } });
  const entries: Entry[] = [];
  const underWay = new Set<Promise<void>>();
  const began = performance.now();
  const now = () => performance.now() - began;
  let count = 0;
  let stopped = false;

  async function ask(what: string, path: string, body?: object): Promise<void> {
    const startedAt = now();
    const token = tokens[count++ % tokens.length];
    const entry = { what, startedAt, status: 0, code: undefined, messageId: undefined };
    try {
      const response = await request(`${url}/api/${slug}${path}`, {
        dispatcher,
        method: body ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body && JSON.stringify(body),
      });
      const text = await response.body.text();
      const read = text.startsWith('{') ? JSON.parse(text) : {};
      const messageId = read.data?.message_id;
      const { statusCode: status } = response;
      entries.push({ ...entry, status, code: read.code, messageId, tookMs: now() - startedAt });
    } catch (error) {
      const { code } = error as { code?: string };
      entries.push({ ...entry, code, tookMs: now() - startedAt });
    }
  }

  function begin(work: Promise<void>): void {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  }

  async function run(): Promise<void> {
    for (let each = 0; !stopped; each++) {
      const phone_number = `+1415${String(5_550_000 + (each % 9_000)).padStart(7, '0')}`;
      begin(ask('send', '/messages/send', { phone_number, type: 'text', message: 'Hello' }));
      begin(ask('read', '/contacts?per_page=1'));
      await sleep(1_000 / perSecond);
    }
  }

  const running = run();
  return {
    entries,
    now,
    async stop() {
      stopped = true;
      await running;
      while (underWay.size > 0) await Promise.all(underWay);
      await dispatcher.destroy();
    },
  };
}
