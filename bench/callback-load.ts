import { createHmac } from 'node:crypto';
import { Agent } from 'undici';

/** What the network shows of a person. `later` shows the user id first, and the phone too from the second half on. */
export type Shown = 'phone' | 'user id' | 'both' | 'later';

/** Messages of people. Every tenth callback repeats the one before it. */
export type Inbound = {
  /** Part of the ids of the messages. */
  name: string;
  firstPerson: number;
  people: number;
  /** What is shown of one person, the next one, and so on. */
  shown: Shown[];
};

/**
 * A load of callbacks like the network's: every message is sent, delivered and read, a second apart; or people write.
 */
export type CallbackLoad = {
  url: string;
  appSecret: string;
  phoneNumberId: string;
  tenantId: number;
  firstMessageId: number;
  perSecond: number;
  seconds: number;
  statusesInPost: number;
  inbound?: Inbound;
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
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550001000', phone_number_id: load.phoneNumberId },
    ...(load.inbound ? message(load.inbound, first) : { statuses: statusesFrom(first) }),
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

/** Returns the nth message of people, with what the callback says of its sender. */
function message({ name, firstPerson, people, shown }: Inbound, nth: number) {
  const serial = nth % 10 === 9 ? nth - 1 : nth;
  const person = firstPerson + (serial % people);
  const kind = shown[person % shown.length]!;
  const isLate = serial >= (load.perSecond * load.seconds) / 2;
  const showsPhone = kind !== 'user id' && (kind !== 'later' || isLate);
  const phone = String(4_915_100_000_000 + person);
  const userId = `DE.${7_000_000_000 + person}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  return {
    contacts: [
      {
        profile: { name: `Person ${person}` },
        ...(showsPhone && { wa_id: phone }),
        ...(kind !== 'phone' && { user_id: userId }),
      },
    ],
    messages: [
      {
        ...(showsPhone && { from: phone }),
        ...(kind !== 'phone' && { from_user_id: userId }),
        ...{ id: `wamid.${name}.${serial}`, timestamp, type: 'text', text: { body: 'Hello' } },
      },
    ],
  };
}

function statusesFrom(first: number) {
  return Array.from({ length: load.statusesInPost }, (_, index) => status(first + index));
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
