import { createBatch } from '../../../platform/database/batching.ts';
import type { Database } from '../../../platform/database/database.ts';
import { type WatchedTopic, watchChannel } from '../../../tenants/watched-topics.ts';
import type { LiveEvent } from '../dashboard-schema.ts';
import { type Change, type ChangeLog, createChangeLog, isTopic } from './change-log.ts';
import { readWatchedChanges } from './conversation-changes.ts';
import { createUnnotifiedFinder } from './find-unnotified.ts';
import { readChanges } from './read-changes.ts';

/** The changes of a tenant are read together, and at most once in this time. */
const readEveryMs = 200;
/** A topic is sent at most once in this time, however often something of it changes. */
const topicEveryMs = 1_000;

/** Sends an event. Without a position, a browser that misses the next event gets both again. */
type Send = (event: LiveEvent, position?: string) => void;
type Watched = {
  log: ChangeLog;
  subscribers: Set<Send>;
  /** When the latest subscriber began. */
  since: number;
  /** The topics of the last moments, and whether something of them has changed since they were sent. */
  resting: Map<WatchedTopic, boolean>;
  publish(change: Change): Promise<unknown>;
};

/**
 * Passes the changes of tenants on to their streams. A changed conversation costs the database one reading, however
 * many streams there are, and none without a stream. A topic costs none.
 *
 * @param watchMs how long after the start of a stream the changes of its tenant are notified
 */
export function createTenantChanges(db: Database, watchMs: number) {
  const watched = new Map<number, Watched>();
  const findUnnotified = createUnnotifiedFinder(db.reads.dashboard);
  let listening: Promise<unknown> | undefined;

  function onNotify(payload: string): void {
    const notified = readWatchedChanges(payload);
    // Notifications may have been missed, by all tenants or by one.
    if (!notified) for (const each of watched.values()) reload(each);
    const tenant = notified && watched.get(notified.tenantId);
    if (!tenant) return;
    if (notified.changes.length + notified.topics.length === 0) reload(tenant);
    for (const change of notified.changes) add(tenant, change);
    for (const topic of notified.topics) touch(tenant, topic);
  }

  function add(tenant: Watched, change: Change): void {
    tenant.log.add(change);
    if (tenant.subscribers.size > 0) void tenant.publish(change);
  }

  function touch(tenant: Watched, topic: WatchedTopic): void {
    if (tenant.resting.has(topic)) {
      tenant.resting.set(topic, true);
      return;
    }
    add(tenant, { topic });
    tenant.resting.set(topic, false);
    setTimeout(() => {
      const hasChanged = tenant.resting.get(topic);
      tenant.resting.delete(topic);
      if (hasChanged) touch(tenant, topic);
    }, topicEveryMs).unref();
  }

  /** Listens to a channel that wakes workers with the id of a tenant, before anything else. */
  function listenForWork(channel: string, topic: WatchedTopic): Promise<unknown> {
    return db.listen(channel, (payload) => {
      const tenant = watched.get(Number.parseInt(payload, 10));
      if (tenant) touch(tenant, topic);
    });
  }

  function reload(tenant: Watched): void {
    tenant.log = createChangeLog();
    send(tenant, { kind: 'reload' });
  }

  function watch(tenantId: number): Watched {
    const known = watched.get(tenantId);
    if (known) return known;
    const batch = createBatch<Change, void>({
      run: (changes) => publish(tenantId, changes),
      maxSize: Number.POSITIVE_INFINITY,
      restMs: readEveryMs,
    });
    const tenant: Watched = {
      log: createChangeLog(),
      subscribers: new Set(),
      since: Number.NEGATIVE_INFINITY,
      resting: new Map(),
      publish: (change) => batch(change).catch(() => reload(tenant)),
    };
    watched.set(tenantId, tenant);
    return tenant;
  }

  async function publish(tenantId: number, changes: Change[]): Promise<void> {
    const tenant = watched.get(tenantId);
    if (!tenant) return;
    const position = tenant.log.position();
    const topics = new Set(changes.filter(isTopic).map(({ topic }) => topic));
    const conversations = changes.flatMap((each) => (isTopic(each) ? [] : each));
    const event =
      conversations.length > 0 && (await readChanges(db.reads.dashboard, tenantId, conversations));
    for (const subscriber of tenant.subscribers) {
      const touched: LiveEvent = { kind: 'touched', topics: [...topics] };
      if (topics.size > 0) subscriber(touched, event ? undefined : position);
      if (event) subscriber(event, position);
    }
  }

  /** Forgets tenants whose changes are no longer notified. */
  function forgetOthers(): void {
    const now = performance.now();
    for (const [tenantId, { subscribers, since }] of watched) {
      if (subscribers.size === 0 && now - since > watchMs) watched.delete(tenantId);
    }
  }

  return {
    /** Listens for the changes of all tenants. New deliveries and posts wake workers, so these channels tell them. */
    async listen(): Promise<void> {
      listening ??= Promise.all([
        db.listen(watchChannel, onNotify),
        listenForWork('deliveries', 'webhook'),
        listenForWork('store_events', 'stores'),
      ]);
      await listening;
    },

    /**
     * Remembers the changes of a tenant from now on, for a stream that begins.
     *
     * @param position where the browser's previous stream ended; empty if there was none
     * @returns where the stream begins, whether that is the given position, and whether the changes before were
     * notified too
     */
    begin(tenantId: number, position: string) {
      forgetOthers();
      const tenant = watch(tenantId);
      const isWatched = performance.now() - tenant.since < watchMs;
      tenant.since = performance.now();
      const isResumed = tenant.log.since(position) !== undefined;
      return { from: isResumed ? position : tenant.log.position(), isResumed, isWatched };
    },

    /**
     * Sends an event, then the changes after a position, then further changes as they are notified.
     *
     * @returns ends it
     */
    subscribe(tenantId: number, from: string, first: LiveEvent, subscriber: Send): () => void {
      const tenant = watch(tenantId);
      const missed = tenant.log.since(from);
      subscriber(first, tenant.log.position());
      // The log began anew in the meantime.
      if (!missed) subscriber({ kind: 'reload' }, tenant.log.position());
      tenant.subscribers.add(subscriber);
      for (const change of missed ?? []) void tenant.publish(change);
      return () => tenant.subscribers.delete(subscriber);
    },

    /**
     * Sends the changes that nobody was notified of, because their statements began before the watch of their tenant.
     *
     * @param watch the transaction of the watch
     * @param from where the first stream begins
     */
    async publishUnnotified(tenantId: number, watch: string, from: string): Promise<void> {
      const changes = await findUnnotified(tenantId, watch).catch(() => null);
      const tenant = watched.get(tenantId);
      if (!tenant) return;
      if (!changes) return reload(tenant);
      const notified = tenant.log.since(from) ?? [];
      const known = new Set(notified.flatMap((each) => (isTopic(each) ? [] : each.messageId)));
      for (const change of changes) {
        if (!known.has(change.messageId)) void tenant.publish(change);
      }
    },
  };
}

function send({ log, subscribers }: Watched, event: LiveEvent): void {
  for (const subscriber of subscribers) subscriber(event, log.position());
}
