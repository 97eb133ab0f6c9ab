import type { Database, Db } from '../../platform/database/database.ts';
import { isRejectedData } from '../../platform/database/failures/error-codes.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { completeEvents } from './complete-events.ts';
import {
  deliverGathered,
  deliverGatheredOf,
  findDueGathered,
  postponeGathered,
} from './deliver-gathered.ts';
import { lockAsPublisher, type OutboxRow, takeOutbox } from './outbox-queries.ts';
import { passOnEvents } from './pass-on-events.ts';
import { publishApart } from './publish-apart.ts';
import {
  keepRejected,
  type PostponedMessages,
  type RejectedEvent,
  reportPostponed,
  reportRejected,
} from './reject-event.ts';

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
 * PostgreSQL rejects the events of a transaction, another one finds those that are at fault and keeps them apart. Gathered
 * messages that it rejects are tried again later.
 */
export function createPublisher(services: { db: Database; log: Log; metrics: Metrics }) {
  const { db } = services;
  /** The tenant whose events were the last of the latest transaction. */
  let afterTenant = 0;

  async function publishSome(): Promise<'more' | PublisherRun> {
    try {
      return await publishPart(together);
    } catch (error) {
      if (!isRejectedData(error)) throw error;
      return publishPart(apart);
    }
  }

  async function publishPart({ publishRows, deliver }: Way): Promise<'more' | PublisherRun> {
    const refused: Refused = { events: [], gathered: [] };
    const run = await db.transaction(async (tx) => {
      if (!(await lockAsPublisher(tx))) return 'elsewhere';
      const part = { afterTenant, limit: maxEvents, limitOfTenant: maxOfTenant, maxBytes };
      const { rows: taken, isCut } = await takeOutbox(tx, part);
      if (taken.length > 0) await publishRows(tx, taken, refused);
      for (const event of refused.events) await keepRejected(tx, event);
      const isMoreGathered = await deliver(tx, refused);
      const isAll = afterTenant === 0 && !isCut && isBelowLimits(taken);
      const isFull = isCut || taken.length === maxEvents;
      afterTenant = isFull ? Math.max(...taken.map(({ tenant_id: id }) => id)) : 0;
      return isAll && !isMoreGathered ? 'done' : 'more';
    });
    reportRejected(services, refused.events);
    reportPostponed(services, refused.gathered);
    return run;
  }

  /** Publishes until nothing is left. */
  return async function publish(isStopping: () => boolean): Promise<PublisherRun> {
    let run = await publishSome();
    while (run === 'more' && !isStopping()) run = await publishSome();
    return run === 'more' ? 'done' : run;
  };
}

/** What could not be published in a transaction. */
type Refused = { events: RejectedEvent[]; gathered: PostponedMessages[] };

type Way = {
  publishRows(tx: Db, rows: OutboxRow[], refused: Refused): Promise<void>;
  /** Delivers gathered messages. Returns whether some are left. */
  deliver(tx: Db, refused: Refused): Promise<boolean>;
};

const together: Way = {
  async publishRows(tx, rows, refused) {
    const { events, unpresentable } = await completeEvents(tx, rows);
    if (events.length > 0) await passOnEvents(tx, events);
    refused.events.push(...unpresentable);
  },
  deliver: deliverGathered,
};

/** The way after PostgreSQL has rejected something in a transaction, which finds out what it is. */
const apart: Way = {
  publishRows: (tx, rows, refused) =>
    publishApart(
      tx,
      rows,
      (part) => together.publishRows(tx, part, refused),
      async (row, error) => {
        refused.events.push({ row, error });
      },
    ),
  async deliver(tx, refused) {
    const due = await findDueGathered(tx);
    if (due.length === 0) return false;
    await publishApart(
      tx,
      due,
      (part) => deliverGatheredOf(tx, part),
      async (conversation, error) => {
        await postponeGathered(tx, conversation);
        refused.gathered.push({ conversation, error });
      },
    );
    return true;
  },
};

/** Whether nothing else was in the outbox. What was recorded since has a notification of its own. */
function isBelowLimits(taken: OutboxRow[]): boolean {
  const byTenant = Map.groupBy(taken, ({ tenant_id }) => tenant_id);
  const most = Math.max(0, ...[...byTenant.values()].map((own) => own.length));
  const share = Math.max(maxOfTenant, Math.floor(maxEvents / byTenant.size));
  return taken.length < maxEvents && most < share;
}
