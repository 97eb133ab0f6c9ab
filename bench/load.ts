import { once } from 'node:events';
import { Client } from 'undici';

/** What the load generator is asked to do. */
export type Load = {
  url: string;
  connections: number;
  seconds: number;
  /** Taken in rotation by all connections together. */
  requests: {
    method: 'GET' | 'POST' | 'PUT';
    path: string;
    headers: Record<string, string>;
    body?: string;
  }[];
};

export type LoadResult = {
  requests: number;
  failures: number;
  seconds: number;
  p50: number;
  p99: number;
};

/** The load generator, a process of its own: each connection sends its next request when it has its answer. */
const [load] = (await once(process, 'message')) as [Load];
const latencies: number[] = [];
let failures = 0;
let next = 0;
const start = performance.now();
const end = start + load.seconds * 1000;

await Promise.all(
  Array.from({ length: load.connections }, async () => {
    const client = new Client(load.url, { connect: { rejectUnauthorized: false } });
    while (performance.now() < end) {
      const request = load.requests[next++ % load.requests.length]!;
      const sentAt = performance.now();
      const answer = await client.request(request);
      await answer.body.text();
      latencies.push(performance.now() - sentAt);
      if (answer.statusCode !== 200) failures++;
    }
    await client.close();
  }),
);
const seconds = (performance.now() - start) / 1000;
latencies.sort((a, b) => a - b);
const at = (share: number) =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]!;
process.send?.({
  requests: latencies.length,
  failures,
  seconds,
  p50: at(0.5),
  p99: at(0.99),
} satisfies LoadResult);
process.disconnect();
