import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { type AnyEventType, optInEventTypes } from '../../webhooks/schema.ts';
import { completeEvents } from './complete-events.ts';
import { deliverEvents, deliverGathered } from './deliver-events.ts';
import { appendToLogs } from './log-queries.ts';
import { lockAsPublisher, type OutboxRow, takeOutbox } from './outbox-queries.ts';

/** The events of one transaction: some 50 ms of work. */
const maxEvents = 1_000;
/** The events of one tenant in a transaction, if others wait too. */
const maxOfTenant = 250;

/** How a run of the publisher ended: nothing is left, or another process publishes. */
export type PublisherRun = 'done' | 'elsewhere';

/**
 * Creates the publisher, which passes recorded events on: to the logs of tenants, and to the endpoints that want
 * them. Any number of processes may run one, but only one publishes at a time. The others are there in case its
 * process dies.
 *
 * Events leave the outbox in the transaction that passes them on, so none is lost and none is passed on twice.
 */
export function createPublisher({ db, log }: { db: Database; log: Log }) {
  /** The tenant whose events were the last of the latest transaction. */
  let afterTenant = 0;

  async function publishSome(): Promise<'more' | PublisherRun> {
    return db.transaction(async (tx) => {
      if (!(await lockAsPublisher(tx))) return 'elsewhere';
      const part = { afterTenant, limit: maxEvents, limitOfTenant: maxOfTenant };
      const taken = await takeOutbox(tx, part);
      const events = await completeEvents(tx, taken, log);
      if (events.length > 0) await appendToLogs(tx, events);
      const optIn = events.filter(({ event }) => isOptIn(event));
      if (optIn.length > 0) await deliverEvents(tx, optIn);
      const gathered = await deliverGathered(tx, maxEvents);
      const isAll = afterTenant === 0 && isBelowLimits(taken);
      afterTenant =
        taken.length === maxEvents ? Math.max(...taken.map(({ tenant_id: id }) => id)) : 0;
      return isAll && gathered < maxEvents ? 'done' : 'more';
    });
  }

  /** Publishes until nothing is left. */
  return async function publish(isStopping: () => boolean): Promise<PublisherRun> {
    let run = await publishSome();
    while (run === 'more' && !isStopping()) run = await publishSome();
    return run === 'more' ? 'done' : run;
  };
}

function isOptIn(event: AnyEventType): boolean {
  return (optInEventTypes as readonly string[]).includes(event);
}

/** Whether nothing else was in the outbox. What was recorded since has a notification of its own. */
function isBelowLimits(taken: OutboxRow[]): boolean {
  const byTenant = Map.groupBy(taken, ({ tenant_id }) => tenant_id);
  const most = Math.max(0, ...[...byTenant.values()].map((own) => own.length));
  return taken.length < maxEvents && most < maxOfTenant;
}
