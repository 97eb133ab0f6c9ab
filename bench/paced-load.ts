import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { Pool } from 'undici';

/** Requests at a fixed rate, whether or not the answers keep up. */
export type PacedLoad = {
  url: string;
  perSecond: number;
  seconds: number;
  connections: number;
  /** Taken in turn. */
  targets: { path: string; headers: Record<string, string> }[];
  /** `{serial}` becomes a number that no other request has, from `firstSerial` on. */
  body: string;
  firstSerial: number;
  /** Signs the body in this header with this secret, as a store does. */
  signing?: { header: string; secret: string };
};

export type PacedResult = {
  answered: number;
  failures: number;
  p50: number;
  p99: number;
  max: number;
};

/** The load generator, a process of its own. Latency counts from when a request was due. */
const [load] = (await once(process, 'message')) as [PacedLoad];
const pool = new Pool(load.url, {
  connections: load.connections,
  pipelining: 1,
  connect: { rejectUnauthorized: false },
});
const latencies: number[] = [];
let failures = 0;
const start = performance.now();
const total = load.perSecond * load.seconds;
const underWay: Promise<void>[] = [];

async function request(number: number): Promise<void> {
  const dueAt = start + (number / load.perSecond) * 1000;
  const body = load.body.replaceAll('{serial}', String(load.firstSerial + number));
  const { path, headers: fixed } = load.targets[number % load.targets.length]!;
  const headers = { ...fixed };
  if (load.signing) {
    const { header, secret } = load.signing;
    headers[header] = createHmac('sha256', secret).update(body).digest('base64');
  }
  try {
    const answer = await pool.request({ method: 'POST', path, headers, body });
    await answer.body.text();
    if (answer.statusCode !== 200) failures++;
  } catch {
    failures++;
  }
  latencies.push(performance.now() - dueAt);
}

for (let sent = 0; sent < total; ) {
  const due = Math.min(total, ((performance.now() - start) / 1000) * load.perSecond);
  while (sent < due) underWay.push(request(sent++));
  await new Promise((resolve) => setTimeout(resolve, 2));
}
await Promise.all(underWay);
await pool.close();
latencies.sort((a, b) => a - b);
const at = (share: number) =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]!;
process.send?.({
  answered: latencies.length,
  failures,
  p50: at(0.5),
  p99: at(0.99),
  max: at(1),
} satisfies PacedResult);
process.disconnect();
