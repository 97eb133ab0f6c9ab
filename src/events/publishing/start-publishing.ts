import { createBatch } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import { repeat } from '../../platform/jobs/repeat.ts';
import type { Log } from '../../platform/log.ts';
import { logFailure } from '../../platform/log-failure.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { outboxChannel } from '../record-message-events.ts';
import { hasOutbox } from './outbox-queries.ts';
import { createPublisher } from './publish-events.ts';

/** Under load a transaction then carries the events of this time, and the database commits less often. */
const restMs = 100;
/** How often to look for events whose notification was missed, or whose publisher died. */
const lookEveryMs = 1_000;

/**
 * Publishes events until stopped. While another process publishes, this one only looks once a second whether that
 * still does.
 *
 * @returns stops, and waits for the transaction in progress
 */
export function startPublishing(services: {
  db: Database;
  log: Log;
  metrics: Metrics;
}): () => Promise<void> {
  const { db } = services;
  const publish = createPublisher(services);
  let stopped = false;
  let isElsewhere = false;
  const run = createBatch<void, void>({
    run: async () => {
      if (!stopped) isElsewhere = (await publish(() => stopped)) === 'elsewhere';
    },
    maxSize: Number.POSITIVE_INFINITY,
    restMs,
  });

  const listening = db.listen(outboxChannel, () => {
    if (isElsewhere || stopped) return;
    run().catch((err) => logFailure(services, err, 'publishing events failed'));
  });
  const stopLooking = repeat('publish events', lookEveryMs, services, async () => {
    if (await hasOutbox(db)) await run();
    else isElsewhere = false;
  });

  return async () => {
    stopped = true;
    (await listening)();
    await stopLooking();
    await run();
  };
}
