import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import type { Behaviours } from '../behaviour.ts';
import type { Knobs } from '../knobs.ts';
import { markDelivered, type SimulatorState } from '../state.ts';
import { callbackUrlOf, keyOf } from '../subscriptions.ts';
import type { Later, Log, SimulatedNumber, Update } from '../types.ts';
import { callbackBody, signatureOf } from './callback-body.ts';

const maxConcurrentPosts = 16;
const maxPendingUpdates = 100_000;
const batchDelayMs = 50;
const responseTimeoutMs = 20_000;
/** The real network retries for seven days, which no test or demo lasts. */
const defaultRetryDelaysMs = [0, 1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000];

export type Outbox = {
  /** Queues an update for the callback URL of its number. Drops it if there is none. */
  add(update: Update, knobs: Knobs): void;
  /** Lists the updates that their receiver has not accepted yet. */
  pending(): Update[];
  /** Opens new connections for a number after its URL or authority has changed. */
  reconnect(numberId: string): void;
  close(): Promise<void>;
};

type Post = {
  updates: Update[];
  attempts: number;
};

type CallbackQueue = {
  waiting: Update[];
  isCollecting: boolean;
  posts: Post[];
  inFlight: number;
  agent: Agent | null;
};

type OutboxParts = {
  state: SimulatorState;
  behaviours: Behaviours;
  log: Log;
  later: Later;
};

/** Posts signed callbacks from one queue per number, or per account if a behaviour says so, several at once. Retries those without a 200 response. */
export function createOutbox({ state, behaviours, log, later }: OutboxParts): Outbox {
  const queues = new Map<string, CallbackQueue>();
  const pending = new Set<Update>();
  let closed = false;

  function queueOf({ phone_number_id }: Update, isOfAccount = false): CallbackQueue {
    const number = state.numbers.get(phone_number_id);
    const key = isOfAccount && number ? keyOf(number) : phone_number_id;
    let queue = queues.get(key);
    if (!queue) {
      queue = { waiting: [], isCollecting: false, posts: [], inFlight: 0, agent: null };
      queues.set(key, queue);
    }
    return queue;
  }

  function enqueue(update: Update): void {
    const { batch = 1, batchNumbers } = behaviours.peek(update.phone_number_id, null);
    const queue = queueOf(update, batchNumbers);
    queue.waiting.push(update);
    if (queue.isCollecting) return;
    queue.isCollecting = true;
    if (batch > 1) later(batchDelayMs, () => createPosts(update.phone_number_id, queue));
    else setImmediate(() => createPosts(update.phone_number_id, queue));
  }

  function createPosts(numberId: string, queue: CallbackQueue): void {
    queue.isCollecting = false;
    const batch = behaviours.peek(numberId, null).batch ?? 1;
    for (const waiting of Map.groupBy(queue.waiting, addressOf).values()) {
      for (let at = 0; at < waiting.length; at += batch) {
        queue.posts.push({ updates: waiting.slice(at, at + batch), attempts: 0 });
      }
    }
    queue.waiting = [];
    sendNext(queue);
  }

  /** Each field may go to another address, and so may each number. */
  function addressOf(update: Update): string {
    const number = state.numbers.get(update.phone_number_id);
    const url = number ? callbackUrlOf(state, number, update) : null;
    return `${update.field ?? 'messages'} ${url}`;
  }

  function sendNext(queue: CallbackQueue): void {
    while (!closed && queue.inFlight < maxConcurrentPosts) {
      const post = queue.posts.shift();
      if (!post) return;
      queue.inFlight++;
      void send(queue, post).finally(() => {
        queue.inFlight--;
        sendNext(queue);
      });
    }
  }

  async function send(queue: CallbackQueue, post: Post): Promise<void> {
    // A number may have been removed since.
    const updates = post.updates.filter((update) => state.numbers.has(update.phone_number_id));
    const [first] = updates;
    const number = first && state.numbers.get(first.phone_number_id);
    const url = number ? callbackUrlOf(state, number, first) : null;
    if (!number || url === null) return settle(post);
    const knobs = behaviours.peek(number.phone_number_id, null);
    const problem = await postOnce(
      queue,
      { ...number, callback_url: url },
      callbackBody(state.numbers, updates, knobs.batchAs),
    );
    if (closed) return;
    if (problem === null) {
      for (const { kind, content } of post.updates) {
        if (kind === 'message') markDelivered(state, String(content.id));
      }
      return settle(post);
    }
    const delays = knobs.retryDelaysMs ?? defaultRetryDelaysMs;
    const delay = delays[post.attempts];
    log('the receiver did not accept a callback', {
      callback_url: url,
      problem,
      retry_ms: delay,
    });
    if (delay === undefined) return settle(post);
    post.attempts++;
    later(delay, () => {
      queue.posts.push(post);
      sendNext(queue);
    });
  }

  function settle(post: Post): void {
    for (const update of post.updates) pending.delete(update);
  }

  return {
    add(update, knobs) {
      const number = state.numbers.get(update.phone_number_id);
      if (closed || knobs.callbacks === false || !number) return;
      if (callbackUrlOf(state, number, update) === null) return;
      if (pending.size >= maxPendingUpdates)
        return log('dropped a callback because too many are waiting');
      for (let copy = 0; copy <= (knobs.duplicate ?? 0); copy++) {
        const one = { ...update };
        pending.add(one);
        if (knobs.callbackDelayMs) later(knobs.callbackDelayMs, () => enqueue(one));
        else enqueue(one);
      }
    },
    pending: () => [...pending],
    reconnect(numberId) {
      const number = state.numbers.get(numberId);
      for (const key of [numberId, number ? keyOf(number) : '']) {
        const queue = queues.get(key);
        if (queue) leaveAgent(queue);
      }
    },
    async close() {
      closed = true;
      await Promise.all([...queues.values()].map((queue) => queue.agent?.destroy()));
    },
  };
}

/** Posts a callback once. Returns null after a 200 response, otherwise the problem. */
async function postOnce(
  queue: CallbackQueue,
  number: SimulatedNumber,
  body: Buffer,
): Promise<string | null> {
  try {
    queue.agent ??= agentFor(number);
    const response = await request(number.callback_url ?? '', {
      method: 'POST',
      dispatcher: queue.agent,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'facebookexternalua',
        'x-hub-signature-256': signatureOf(body, number.app_secret),
      },
      body,
    });
    await response.body.dump();
    return response.statusCode === 200 ? null : `HTTP ${response.statusCode}`;
  } catch (error) {
    // The authority's file may have been replaced since it was read.
    if (number.ca) leaveAgent(queue);
    return error instanceof Error ? error.message : String(error);
  }
}

/** Closes the connections of a queue once their requests have ended. The next post opens new ones. */
function leaveAgent(queue: CallbackQueue): void {
  // It fails if the simulator has been stopped, which has destroyed them.
  queue.agent?.close().catch(() => {});
  queue.agent = null;
}

/** Creates connections to the callback URL of a number. Trusts its `ca`; without one, any loopback server. */
export function agentFor(number: Pick<SimulatedNumber, 'callback_url' | 'ca'>): Agent {
  const host = new URL(number.callback_url ?? '').hostname;
  const loopback = host === 'localhost' || host === '[::1]' || /^127\./.test(host);
  return new Agent({
    connections: maxConcurrentPosts,
    headersTimeout: responseTimeoutMs,
    bodyTimeout: responseTimeoutMs,
    connect: number.ca ? { ca: readFileSync(number.ca) } : { rejectUnauthorized: !loopback },
  });
}
