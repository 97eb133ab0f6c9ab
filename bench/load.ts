import { once } from 'node:events';
import { connectLean, requestBytes } from './lean-client.ts';

/** The task of the load generator. */
export type Load = {
  url: string;
  connections: number;
  seconds: number;
  /** A connection makes `stretch` requests with one of these before it takes the next. */
  stretch: number;
  /** The index of the first one. */
  first: number;
  /** `{serial}` in a body becomes a unique number of nine digits, starting with this one. */
  firstSerial?: number;
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
  /** The first request of the next run, so that no token reaches its limit. */
  next: number;
  nextSerial: number;
};

/** The load generator, in its own process. Each connection sends its next request after the response. */
const [load] = (await once(process, 'message')) as [Load];
const latencies: number[] = [];
let failures = 0;
let next = load.first;
let serial = load.firstSerial ?? 0;
const url = new URL(load.url);
const start = performance.now();
const end = start + load.seconds * 1000;
const take = () => load.requests[next++ % load.requests.length]!;

await Promise.all(
  Array.from({ length: load.connections }, async () => {
    const client = await connectLean(url);
    for (let count = 0, request = take(); performance.now() < end; count++) {
      if (count > 0 && count % load.stretch === 0) request = take();
      const sentAt = performance.now();
      const body = request.body?.replaceAll('{serial}', String(serial++).padStart(9, '0'));
      const status = await client.send(requestBytes(url, request, body));
      latencies.push(performance.now() - sentAt);
      if (status !== 200) failures++;
    }
    client.close();
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
  next,
  nextSerial: serial,
} satisfies LoadResult);
process.disconnect();
