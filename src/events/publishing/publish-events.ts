import type { Database, Db } from '../../platform/database/database.ts';
import { isRejectedData } from '../../platform/database/failures/is-rejected-data.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { completeEvents } from './complete-events.ts';
import { deliverGathered } from './deliver-events.ts';
import { lockAsPublisher, type OutboxRow, takeOutbox } from './outbox-queries.ts';
import { passOnEvents } from './pass-on-events.ts';
import { publishApart } from './publish-apart.ts';
import { keepRejected, type RejectedEvent, reportRejected } from './reject-event.ts';

/** The events of one transaction: some 50 ms of work. */
const maxEvents = 1_000;
/** The events of one tenant in a transaction, if three or more others wait too; fewer tenants share all. */
const maxOfTenant = 250;
/** The contents of the messages in a transaction, because an inbound message may have 128 KB. Usually they have less. */
const maxBytes = 2 * 1024 * 1024;

/** How a run of the publisher ended: nothing is left, or another process publishes. */
export type PublisherRun = 'done' | 'elsewhere';

/**
 * Creates the publisher, which passes recorded events on: to the logs of tenants, and to the endpoints that want
 * them. Any number of processes may run one, but only one publishes at a time. The others are there in case its
 * process dies.
 *
 * Events leave the outbox in the transaction that passes them on, so none is lost and none is passed on twice. If
 * PostgreSQL rejects the events of a transaction, another one finds those that are at fault and keeps them apart.
 */
export function createPublisher(services: { db: Database; log: Log; metrics: Metrics }) {
  const { db } = services;
  /** The tenant whose events were the last of the latest transaction. */
  let afterTenant = 0;

  async function publishSome(): Promise<'more' | PublisherRun> {
    try {
      return await publishPart(publishTogether);
    } catch (error) {
      if (!isRejectedData(error)) throw error;
      return publishPart((tx, rows, rejected) =>
        publishApart(
          tx,
          rows,
          (part) => publishTogether(tx, part, rejected),
          async (row, rowError) => {
            rejected.push({ row, error: rowError });
          },
        ),
      );
    }
  }

  async function publishPart(publishRows: typeof publishTogether): Promise<'more' | PublisherRun> {
    const rejected: RejectedEvent[] = [];
    const run = await db.transaction(async (tx) => {
      if (!(await lockAsPublisher(tx))) return 'elsewhere';
      const part = { afterTenant, limit: maxEvents, limitOfTenant: maxOfTenant, maxBytes };
      const { rows: taken, isCut } = await takeOutbox(tx, part);
      if (taken.length > 0) await publishRows(tx, taken, rejected);
      for (const event of rejected) await keepRejected(tx, event);
      const gathered = await deliverGathered(tx, maxEvents);
      const isAll = afterTenant === 0 && !isCut && isBelowLimits(taken);
      const isFull = isCut || taken.length === maxEvents;
      afterTenant = isFull ? Math.max(...taken.map(({ tenant_id: id }) => id)) : 0;
      return isAll && gathered < maxEvents ? 'done' : 'more';
    });
    reportRejected(services, rejected);
    return run;
  }

  /** Publishes until nothing is left. */
  return async function publish(isStopping: () => boolean): Promise<PublisherRun> {
    let run = await publishSome();
    while (run === 'more' && !isStopping()) run = await publishSome();
    return run === 'more' ? 'done' : run;
  };
}

async function publishTogether(
  tx: Db,
  rows: OutboxRow[],
  rejected: RejectedEvent[],
): Promise<void> {
  const { events, unpresentable } = await completeEvents(tx, rows);
  if (events.length > 0) await passOnEvents(tx, events);
  rejected.push(...unpresentable);
}

/** Whether nothing else was in the outbox. What was recorded since has a notification of its own. */
function isBelowLimits(taken: OutboxRow[]): boolean {
  const byTenant = Map.groupBy(taken, ({ tenant_id }) => tenant_id);
  const most = Math.max(0, ...[...byTenant.values()].map((own) => own.length));
  const share = Math.max(maxOfTenant, Math.floor(maxEvents / byTenant.size));
  return taken.length < maxEvents && most < share;
}
