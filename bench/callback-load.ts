import { createHmac } from 'node:crypto';
import { Agent } from 'undici';

/** A load of callbacks like the network's: every message is sent, delivered and read, a second apart. */
export type CallbackLoad = {
  url: string;
  appSecret: string;
  phoneNumberId: string;
  tenantId: number;
  firstMessageId: number;
  perSecond: number;
  seconds: number;
  statusesInPost: number;
};

export type CallbackResult = {
  statuses: number;
  posts: number;
  failures: number;
  seconds: number;
  p50: number;
  p99: number;
  max: number;
  shareAboveSecond: number;
};

/**
 * The load generator, in its own process. It posts at a fixed rate, whether or not earlier posts have a
 * response, as the network does. The latency of a post counts from the time when it was due.
 */
const load = JSON.parse(process.env.BENCH_LOAD!) as CallbackLoad;
const dispatcher = new Agent({
  connections: 64,
  pipelining: 1,
  connect: { rejectUnauthorized: false },
});
const statusNames = ['sent', 'delivered', 'read'];
const messagesPerSecond = load.perSecond / statusNames.length;
const target = new URL(load.url);
const latencies: number[] = [];
let failures = 0;

process.send?.(await run());
await dispatcher.close();

async function run(): Promise<CallbackResult> {
  const total = load.perSecond * load.seconds;
  const startedAt = performance.now();
  const underWay = new Set<Promise<void>>();
  for (let first = 0; first < total; first += load.statusesInPost) {
    const dueAt = startedAt + (first / load.perSecond) * 1_000;
    while (performance.now() < dueAt) await new Promise((resolve) => setTimeout(resolve, 1));
    const post = send(first, dueAt).finally(() => underWay.delete(post));
    underWay.add(post);
  }
  await Promise.all(underWay);
  const seconds = (performance.now() - startedAt) / 1_000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? 0;
  return {
    statuses: total,
    posts: latencies.length,
    failures,
    seconds,
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
    shareAboveSecond: latencies.filter((each) => each > 1_000).length / latencies.length,
  };
}

function send(first: number, dueAt: number): Promise<void> {
  const statuses = Array.from({ length: load.statusesInPost }, (_, index) => status(first + index));
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550001000', phone_number_id: load.phoneNumberId },
    statuses,
  };
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ value, field: 'messages' }] }],
  });
  const signature = createHmac('sha256', load.appSecret).update(body).digest('hex');
  return new Promise((resolve) => {
    const end = (failed: boolean) => {
      if (failed) failures++;
      latencies.push(performance.now() - dueAt);
      resolve();
    };
    let code = 0;
    dispatcher.dispatch(
      {
        origin: target.origin,
        path: target.pathname,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-hub-signature-256': `sha256=${signature}`,
        },
        body,
      },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          code = statusCode;
        },
        onResponseData() {},
        onResponseEnd: () => end(code !== 200),
        onResponseError: () => end(true),
      },
    );
  });
}

/** Returns the nth status. The statuses of a message are a second apart. */
function status(nth: number) {
  const second = Math.floor(nth / load.perSecond);
  const inSecond = nth % load.perSecond;
  const step = Math.floor(inSecond / messagesPerSecond);
  // Messages that began in this second are sent, those of the last second are delivered, those before are
  // read.
  const begun = (second - step + load.seconds) % load.seconds;
  const message = begun * messagesPerSecond + (inSecond % messagesPerSecond);
  const id = load.firstMessageId + message;
  return {
    id: `wamid.BENCH${id}`,
    status: statusNames[step]!,
    timestamp: String(Math.floor(Date.now() / 1_000)),
    recipient_id: '14155550123',
    biz_opaque_callback_data: `${load.tenantId}.${id}`,
    pricing: { billable: true, pricing_model: 'PMP', category: 'utility', type: 'regular' },
  };
}
