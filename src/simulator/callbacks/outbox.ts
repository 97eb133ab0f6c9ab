import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import type { Behaviours, Knobs } from '../behaviour.ts';
import type { SimulatorState } from '../state.ts';
import type { Later, Log, SimulatedNumber, Update } from '../types.ts';
import { callbackBody, signatureOf } from './callback-body.ts';

const postsInFlight = 16;
const updatesKept = 100_000;
const gatherMs = 50;
const answerTimeoutMs = 20_000;
/** The real network goes on for seven days; here a test or a demo has long ended by then. */
const defaultRetryDelaysMs = [0, 1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000];

export interface Outbox {
  /** Queues an update for its number's callback address; dropped when it has none. */
  add(update: Update, knobs: Knobs): void;
  /** What has not been taken by its receiver yet. */
  pending(): Update[];
  /** Opens new connections for a number whose address or authority changed. */
  reconnect(numberId: string): void;
  close(): Promise<void>;
}

interface Post {
  updates: Update[];
  tries: number;
}

interface Lane {
  waiting: Update[];
  gathering: boolean;
  posts: Post[];
  inFlight: number;
  agent: Agent | null;
}

interface OutboxParts {
  state: SimulatorState;
  behaviours: Behaviours;
  log: Log;
  later: Later;
}

/** One lane a number; each posts signed callbacks, several at once, and repeats what was not answered with 200. */
export function createOutbox({ state, behaviours, log, later }: OutboxParts): Outbox {
  const lanes = new Map<string, Lane>();
  const unsent = new Set<Update>();
  let closed = false;

  function laneOf(numberId: string): Lane {
    let lane = lanes.get(numberId);
    if (!lane) {
      lane = { waiting: [], gathering: false, posts: [], inFlight: 0, agent: null };
      lanes.set(numberId, lane);
    }
    return lane;
  }

  function enqueue(update: Update): void {
    const lane = laneOf(update.phone_number_id);
    lane.waiting.push(update);
    if (lane.gathering) return;
    lane.gathering = true;
    const batch = behaviours.peek(update.phone_number_id, null).batch ?? 1;
    if (batch > 1) later(gatherMs, () => gather(update.phone_number_id, lane));
    else setImmediate(() => gather(update.phone_number_id, lane));
  }

  function gather(numberId: string, lane: Lane): void {
    lane.gathering = false;
    const batch = behaviours.peek(numberId, null).batch ?? 1;
    for (let at = 0; at < lane.waiting.length; at += batch) {
      lane.posts.push({ updates: lane.waiting.slice(at, at + batch), tries: 0 });
    }
    lane.waiting = [];
    pump(numberId, lane);
  }

  function pump(numberId: string, lane: Lane): void {
    while (!closed && lane.inFlight < postsInFlight) {
      const post = lane.posts.shift();
      if (!post) return;
      lane.inFlight++;
      void send(numberId, lane, post).finally(() => {
        lane.inFlight--;
        pump(numberId, lane);
      });
    }
  }

  async function send(numberId: string, lane: Lane, post: Post): Promise<void> {
    const number = state.numbers.get(numberId);
    if (!number?.callback_url) return settle(post);
    const knobs = behaviours.peek(numberId, null);
    const problem = await tryPost(lane, number, callbackBody(number, post.updates, knobs.batchAs));
    if (closed) return;
    if (problem === null) return settle(post);
    const delays = knobs.retryDelaysMs ?? defaultRetryDelaysMs;
    const delay = delays[post.tries];
    log('a callback was not taken', {
      callback_url: number.callback_url,
      problem,
      retry_ms: delay,
    });
    if (delay === undefined) return settle(post);
    post.tries++;
    later(delay, () => {
      lane.posts.push(post);
      pump(numberId, lane);
    });
  }

  function settle(post: Post): void {
    for (const update of post.updates) unsent.delete(update);
  }

  return {
    add(update, knobs) {
      const number = state.numbers.get(update.phone_number_id);
      if (closed || knobs.callbacks === false || !number?.callback_url) return;
      if (unsent.size >= updatesKept) return log('too many callbacks wait; one is dropped');
      for (let copy = 0; copy <= (knobs.duplicate ?? 0); copy++) {
        const one = { ...update };
        unsent.add(one);
        if (knobs.callbackDelayMs) later(knobs.callbackDelayMs, () => enqueue(one));
        else enqueue(one);
      }
    },
    pending: () => [...unsent],
    reconnect(numberId) {
      const lane = lanes.get(numberId);
      void lane?.agent?.close();
      if (lane) lane.agent = null;
    },
    async close() {
      closed = true;
      await Promise.all([...lanes.values()].map((lane) => lane.agent?.destroy()));
    },
  };
}

/** Posts once; null when the receiver answered 200, else what went wrong. */
async function tryPost(lane: Lane, number: SimulatedNumber, body: Buffer): Promise<string | null> {
  try {
    lane.agent ??= agentFor(number);
    const answer = await request(number.callback_url ?? '', {
      method: 'POST',
      dispatcher: lane.agent,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'facebookexternalua',
        'x-hub-signature-256': signatureOf(body, number.app_secret),
      },
      body,
    });
    await answer.body.dump();
    return answer.statusCode === 200 ? null : `HTTP ${answer.statusCode}`;
  } catch (error) {
    // The authority's file may have been written anew since it was read.
    if (number.ca) {
      void lane.agent?.close();
      lane.agent = null;
    }
    return error instanceof Error ? error.message : String(error);
  }
}

/** Connections to a number's callback address, trusting its `ca`, or anyone on this machine. */
export function agentFor(number: Pick<SimulatedNumber, 'callback_url' | 'ca'>): Agent {
  const host = new URL(number.callback_url ?? '').hostname;
  const loopback = host === 'localhost' || host === '[::1]' || /^127\./.test(host);
  return new Agent({
    connections: postsInFlight,
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
    connect: number.ca ? { ca: readFileSync(number.ca) } : { rejectUnauthorized: !loopback },
  });
}
