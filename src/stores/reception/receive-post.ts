import type { TenantHolds } from '../../moving/holding/tenant-holds.ts';
import { createKeyedSemaphore } from '../../platform/concurrency/keyed-semaphore.ts';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';
import { createBatch } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import { isLostReference } from '../../platform/database/failures/error-codes.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import type { Log } from '../../platform/log.ts';
import { sha256, type Vault } from '../../platform/secrets/crypto.ts';
import { type Post, sentTopicOf } from '../platforms/platform.ts';
import { platforms } from '../platforms/platforms.ts';
import { isSample } from '../tools/sample-post.ts';
import { createAnnouncer } from './announce-events.ts';
import { createRefusalCounter } from './count-refusals.ts';
import { createStoreFinder, type KnownStore } from './find-store.ts';
import { insertEvents, type NewStoreEvent } from './reception-queries.ts';
import { refusalOf } from './verify-post.ts';

/** Shopify closes the connection after 5 s. Both retry later if they get an error before that. */
const maxWaitMs = 3_000;
/** Bodies that wait for the database, in bytes. Beyond this, posts are refused. */
const maxWaitingBytes = 64 * 1024 * 1024;
/** Concurrent posts to one address, so that a flood from one store does not delay the others. */
const maxConcurrentPosts = 24;
/** The pause between two inserts, in which sends can use the database. Stores wait for seconds. */
const restMs = 10;
/** Larger bodies are inserted in small batches. */
const maxSmallBytes = 32 * 1024;

export type PostReceiver = ReturnType<typeof createPostReceiver>;

/**
 * Receives the posts of stores: verifies them and stores them unchanged. They are processed later.
 */
export function createPostReceiver(services: {
  db: Database;
  log: Log;
  vault: Vault;
  holds: TenantHolds;
}) {
  const { db, holds } = services;
  const stores = createStoreFinder(services);
  const refusals = createRefusalCounter(services);
  const announce = createAnnouncer(services);
  const run = async (events: NewStoreEvent[]) => {
    await insertEvents(db.batched, events);
    for (const { tenantId } of events) announce(tenantId);
  };
  const insertSmall = createBatch<NewStoreEvent, void>({ run, maxSize: 200, restMs });
  const insertLarge = createBatch<NewStoreEvent, void>({ run, maxSize: 4 });
  const { withPermit } = createKeyedSemaphore(maxConcurrentPosts);
  let waitingBytes = 0;

  /**
   * Stores a post, if it is from the store.
   *
   * @throws ApiError 401 if the post is not from the store or there is no such store, 500 if the database
   *   does not store it in time; the store then sends it again
   */
  async function receivePost(webhookId: string, post: Post): Promise<void> {
    const bytes = post.body.length;
    if (waitingBytes + bytes > maxWaitingBytes) throw busy();
    waitingBytes += bytes;
    const deadline = performance.now() + maxWaitMs;
    const stored = withPermit(webhookId, async () => {
      // The store already has an error response; the posts behind this one may still be in time.
      if (performance.now() > deadline) throw busy();
      await verifyAndStore(webhookId, post);
    }).finally(() => {
      waitingBytes -= bytes;
    });
    await withTimeout(stored, maxWaitMs, busy);
  }

  async function verifyAndStore(webhookId: string, post: Post): Promise<void> {
    const cached = stores.cached(webhookId);
    if (refusalOf(cached, post) === undefined) return storePost(cached, post);

    // The keys may have changed in the last second. Every refusal costs one lookup and two checks.
    const store = await stores.lookUp(webhookId);
    const refusal = refusalOf(store, post);
    if (refusal === undefined) return storePost(store, post);

    if (!stores.isUnknown(store)) {
      if (platforms[store.platform].isPing?.(post)) return refusals.countPing(store);
      refusals.count(store, refusal);
    }
    throw refusedPost();
  }

  async function storePost(store: KnownStore, post: Post): Promise<void> {
    const isSmall = post.body.length <= maxSmallBytes;
    try {
      const insert = isSmall ? insertSmall : insertLarge;
      await holds.write(store.tenantId, () => insert(eventOf(store, post)));
    } catch (error) {
      // The store has been deleted since the lookup.
      throw isLostReference(error) ? refusedPost() : error;
    }
  }

  /** Returns whether there is a store at an address, so that its bodies are worth holding in memory. */
  async function isStore(webhookId: string): Promise<boolean> {
    if (!stores.isUnknown(stores.cached(webhookId))) return true;
    return !stores.isUnknown(await stores.lookUp(webhookId));
  }

  return { receivePost, isStore, flushRefusals: refusals.flush };
}

function eventOf(store: KnownStore, post: Post): NewStoreEvent {
  const platform = platforms[store.platform];
  const sentTopic = sentTopicOf(platform, post) ?? '';
  const topic = Object.hasOwn(platform.topics, sentTopic) ? platform.topics[sentTopic]! : null;
  const name = platform.deliveryName(post, () => sha256(post.body).toString('hex'));
  return {
    tenantId: store.tenantId,
    storeId: store.id,
    topic,
    dedupKey: sha256(`${sentTopic} ${name}`),
    headers: headersToStore(store, post.headers),
    body: post.body,
    isSample: isSample(post.headers),
  };
}

/** Picks the headers to store: those that describe the post, none that authenticates it. */
function headersToStore(store: KnownStore, headers: Post['headers']): Record<string, string> {
  const { authentication } = store;
  const { headerPrefix, signatureHeader } = platforms[store.platform];
  const secretHeaders = [
    signatureHeader.toLowerCase(),
    authentication?.type === 'header' && authentication.name.toLowerCase(),
  ];
  const stored: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const describesPost =
      name.startsWith(headerPrefix) || /^(x-parley-|content-type$|user-agent$)/.test(name);
    if (!describesPost || secretHeaders.includes(name) || /signature|hmac/.test(name)) continue;
    if (typeof value === 'string') stored[name] = value.replaceAll('\0', '').toWellFormed();
  }
  return stored;
}

/** The 401 for every post that is not from the store: the same for every reason, even if there is no such address. */
export function refusedPost(): ApiError {
  return new ApiError('unauthorized', {
    message: fault('not_the_store', 'This address, signature or authentication is not valid.'),
  });
}

function busy(): ApiError {
  return new ApiError('server_error', {
    message: fault('post_not_stored', 'The post could not be stored. Retry in a few seconds.'),
    retryAfterSeconds: 5,
    passing: true,
  });
}
