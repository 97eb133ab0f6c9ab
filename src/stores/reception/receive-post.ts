import { ApiError } from '../../errors.ts';
import { sha256, type Vault } from '../../platform/crypto.ts';
import { createBatch } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import { isLostReference } from '../../platform/database/is-lost-reference.ts';
import { createGate } from '../../platform/gate.ts';
import { inTime } from '../../platform/in-time.ts';
import type { Log } from '../../platform/log.ts';
import type { Post } from '../platforms/platform.ts';
import { platforms } from '../platforms/platforms.ts';
import { isSample } from '../tools/samples/sample-post.ts';
import { createAnnouncer } from './announce-events.ts';
import { createRefusalCounter } from './count-refusals.ts';
import { createStoreFinder, type KnownStore } from './find-store.ts';
import { type NewStoreEvent, writeDownEvents } from './reception-queries.ts';
import { refusalOf } from './verify-post.ts';

/** Shopify gives up after 5 s, and WooCommerce counts a failure: say so while they still listen. */
const longestWaitMs = 3_000;
/** Bodies that wait for the database, in bytes, before further posts are turned away. */
const mostWaitingBytes = 64 * 1024 * 1024;
/** Posts to one address in hand at once; a flood of one store waits for itself, not others for it. */
const mostAtOnce = 24;
/** Between two statements that write posts down; stores wait for seconds, and sends do not. */
const restMs = 10;
/** Bodies above this go with few others in one statement. */
const smallBytes = 32 * 1024;

export type PostReceiver = ReturnType<typeof createPostReceiver>;

/**
 * Takes the posts of stores: checks that they are the store's, writes them down as they came, and
 * only then is done. What they mean is found out later.
 */
export function createPostReceiver(services: { db: Database; log: Log; vault: Vault }) {
  const { db } = services;
  const stores = createStoreFinder(services);
  const refusals = createRefusalCounter(services);
  const announce = createAnnouncer(services);
  const run = async (events: NewStoreEvent[]) => {
    await writeDownEvents(db.batched, events);
    for (const { tenantId } of events) announce(tenantId);
    return [];
  };
  const writeDownSmall = createBatch<NewStoreEvent, void>({ run, maxSize: 200, restMs });
  const writeDownLarge = createBatch<NewStoreEvent, void>({ run, maxSize: 4 });
  const through = createGate(mostAtOnce);
  let waitingBytes = 0;

  /**
   * @throws ApiError 401 when the post is not the store's or the store is unknown, 500 when the
   *   database does not take it: then it is not written down as far as anyone knows, and not lost
   *   as long as the store sends it again
   */
  async function receivePost(webhookId: string, post: Post): Promise<void> {
    const bytes = post.body.length;
    if (waitingBytes + bytes > mostWaitingBytes) throw busy();
    waitingBytes += bytes;
    const latest = performance.now() + longestWaitMs;
    const taken = through(webhookId, async () => {
      // Its store has its answer; what waits behind it may still be in time.
      if (performance.now() > latest) throw busy();
      await verifyAndWriteDown(webhookId, post);
    }).finally(() => {
      waitingBytes -= bytes;
    });
    await inTime(taken, longestWaitMs, busy);
  }

  async function verifyAndWriteDown(webhookId: string, post: Post): Promise<void> {
    const remembered = stores.remembered(webhookId);
    if (refusalOf(remembered, post) === undefined) return writeDown(remembered, post);

    // A refusal is the word of the store as it is now; every one costs one look and two checks.
    const store = await stores.lookUp(webhookId);
    const refusal = refusalOf(store, post);
    if (refusal === undefined) return writeDown(store, post);

    if (!stores.isNobody(store)) {
      if (platforms[store.platform].isPing(post)) return refusals.countPing(store);
      refusals.count(store, refusal);
    }
    throw notTheStore();
  }

  async function writeDown(store: KnownStore, post: Post): Promise<void> {
    const isSmall = post.body.length <= smallBytes;
    try {
      await (isSmall ? writeDownSmall : writeDownLarge)(eventOf(store, post));
    } catch (error) {
      // The store was deleted since it was looked up.
      throw isLostReference(error) ? notTheStore() : error;
    }
  }

  /** Whether there is a store at an address, as far as its posts are worth holding in memory. */
  async function isStore(webhookId: string): Promise<boolean> {
    if (!stores.isNobody(stores.remembered(webhookId))) return true;
    return !stores.isNobody(await stores.lookUp(webhookId));
  }

  return { receivePost, isStore, flushRefusals: refusals.flush };
}

function eventOf(store: KnownStore, post: Post): NewStoreEvent {
  const platform = platforms[store.platform];
  const sent = platform.sentTopic(post.headers) ?? '';
  const topic = Object.hasOwn(platform.topics, sent) ? platform.topics[sent]! : null;
  const name = platform.deliveryName(post, () => sha256(post.body).toString('hex'));
  return {
    tenantId: store.tenantId,
    storeId: store.id,
    topic,
    dedupKey: sha256(`${sent} ${name}`),
    headers: kept(store, post.headers),
    body: post.body,
    isSample: isSample(post.headers),
  };
}

/** Every header that says something of the post, none that proves who may post. */
function kept(store: KnownStore, headers: Post['headers']): Record<string, string> {
  const { authentication } = store;
  const proof = authentication?.type === 'header' ? authentication.name.toLowerCase() : undefined;
  const told: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const isTold = /^(x-(wc|shopify|webhook|parley)-|content-type$|user-agent$)/.test(name);
    if (!isTold || name === proof || /signature|hmac/.test(name)) continue;
    if (typeof value === 'string') told[name] = value.replaceAll('\0', '').toWellFormed();
  }
  return told;
}

/** The same words whatever is wrong, also where there is no such address. */
export function notTheStore(): ApiError {
  return new ApiError('unauthorized', {
    message: 'This address, signature or authentication is not valid.',
  });
}

function busy(): ApiError {
  return new ApiError('server_error', {
    message: 'The post could not be stored. Retry in a few seconds.',
    retryAfterSeconds: 5,
    passing: true,
  });
}
