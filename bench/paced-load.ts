import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connectLean, requestBytes } from './lean-client.ts';

/** Requests at a fixed rate, whether or not the responses keep up. */
export type PacedLoad = {
  url: string;
  perSecond: number;
  seconds: number;
  connections: number;
  /** Used in rotation. */
  targets: { path: string; headers: Record<string, string> }[];
  /** `{serial}` becomes a unique number, starting with `firstSerial`. */
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
  /** The CPU time of the generator itself. */
  cpuMs: number;
};

/**
 * The load generator, in its own process. It shares the machine with the server, so it must be cheap: every
 * request is prepared and signed before the first is sent, and written to a socket as it is. Latency counts
 * from the time when a request was due, so a slow response delays no other request, and a queue before the
 * server counts in full.
 *
 * It sends `ready` when everything is prepared and connected, and starts on a message.
 */
const [load] = (await once(process, 'message')) as [PacedLoad];
const url = new URL(load.url);
const total = load.perSecond * load.seconds;
const requests = Array.from({ length: total }, (_each, number) => requestOf(number));
const free = await Promise.all(Array.from({ length: load.connections }, openConnection));
const queue: number[] = [];
const latencies: number[] = [];
let failures = 0;
const done = Promise.withResolvers<void>();

process.send?.('ready');
await once(process, 'message');
const cpuBefore = process.cpuUsage();
const start = performance.now();
const dueAt = (number: number) => start + (number / load.perSecond) * 1000;
let sent = 0;
sendDue();
await done.promise;
const { user, system } = process.cpuUsage(cpuBefore);
latencies.sort((a, b) => a - b);
const at = (share: number) => latencies[Math.min(total - 1, Math.floor(total * share))]!;
const result: PacedResult = {
  answered: latencies.length,
  failures,
  p50: at(0.5),
  p99: at(0.99),
  max: at(1),
  cpuMs: (user + system) / 1000,
};
process.send?.(result, () => process.exit());

function requestOf(number: number): Buffer {
  const body = Buffer.from(load.body.replaceAll('{serial}', String(load.firstSerial + number)));
  const { path, headers: fixed } = load.targets[number % load.targets.length]!;
  const headers: Record<string, string> = { ...fixed };
  if (load.signing) {
    const { header, secret } = load.signing;
    headers[header] = createHmac('sha256', secret).update(body).digest('base64');
  }
  return requestBytes(url, { method: 'POST', path, headers }, body);
}

function sendDue(): void {
  const now = performance.now();
  while (sent < total && dueAt(sent) <= now) queue.push(sent++);
  pump();
  if (sent < total) setTimeout(sendDue, Math.max(1, Math.floor(dueAt(sent) - now)));
}

/** Uses connections in rotation, because the server ends one that is silent for 10 s. */
function pump(): void {
  while (free.length > 0 && queue.length > 0) free.shift()!(queue.shift()!);
}

/** Opens a connection for one request at a time, and returns a function that sends one. */
async function openConnection(): Promise<(number: number) => void> {
  const connection = await connectLean(url);
  const send = async (number: number) => {
    const status = await connection.send(requests[number]!);
    latencies.push(performance.now() - dueAt(number));
    if (status !== 200) failures++;
    free.push(send);
    if (latencies.length === total) done.resolve();
    else pump();
  };
  return send;
}
