import { createKeyedSemaphore } from '../../platform/concurrency/keyed-semaphore.ts';
import type { Db } from '../../platform/database/database.ts';
import { ApiError, invalid } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import { refuseTooMany } from '../../tenants/api/limit-concurrency.ts';
import { type EventSelector, eventSelectors } from '../../webhooks/schema.ts';
import { createEventCursors } from './event-cursors.ts';
import { type LogPart, readLog } from './queries.ts';
import type { EventWaiter } from './wait-for-events.ts';

/** Readers of one tenant that wait in this process. */
const maxWaiting = 1_000;

/** The types that a reader can choose. The log has each message on its own. */
export const loggedSelectors = eventSelectors.filter((name) => name !== 'message.received_batch');

/** A request for events. */
export type EventRequest = {
  after: string | undefined;
  types: string | undefined;
  limit: number;
  waitMs: number;
  /** Aborted when the client has gone. */
  signal: AbortSignal;
};

export type EventReader = ReturnType<typeof createEventReader>;

/** Creates the reader of the logs of events. */
export function createEventReader(waiter: EventWaiter, vault: Vault) {
  const cursors = createEventCursors(vault);
  const { withPermit } = createKeyedSemaphore<number>(maxWaiting, 0);

  /**
   * Reads the events after a cursor. If there are none, it waits for some.
   *
   * @throws ApiError 422 on `after` or `types`
   */
  return async function readEvents(db: Db, tenantId: number, request: EventRequest) {
    const types = request.types === undefined ? undefined : readTypes(request.types);
    let position = request.after === undefined ? 0 : cursors.read(tenantId, request.after);
    const until = performance.now() + request.waitMs;
    for (let isFirst = true; ; isFirst = false) {
      const heard = request.waitMs > 0 ? await waiter.listen() : 0;
      const part = await readLog(db, tenantId, { after: position, types, limit: request.limit });
      if (part && (request.after !== undefined || !isFirst)) {
        refuseExpired(position, part, () => cursors.write(tenantId, part.beginsAfter));
      }
      if (part) position = Math.max(part.readTo, part.beginsAfter);
      const leftMs = until - performance.now();
      const isOver = leftMs <= 0 || request.signal.aborted || waiter.isClosed();
      if (part?.entries.length || isOver) {
        return { entries: part?.entries ?? [], next: cursors.write(tenantId, position) };
      }
      if (part?.isEnd === false) continue;
      const end = { tenantId, after: position, heard };
      await refuseTooMany(
        maxWaiting,
        withPermit(tenantId, () => waiter.wait(end, leftMs, request.signal)),
      );
    }
  };
}

function refuseExpired(
  after: number,
  { beginsAfter, newestPosition }: LogPart,
  writeOldest: () => string,
): void {
  // A cursor from the future is of a database whose backup was restored since.
  if (after >= beginsAfter && after <= newestPosition) return;
  throw new ApiError('invalid', {
    errors: {
      after: [
        fault(
          'cursor_expired',
          'is older than the events that are kept. `data.oldest` is the oldest cursor that still works',
        ),
      ],
    },
    publicCode: 'cursor_expired',
    data: { oldest: writeOldest() },
  });
}

/** Reads a list of event types and families. */
function readTypes(text: string): EventSelector[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !(loggedSelectors as string[]).includes(name));
  if (unknown.length > 0) {
    throw invalid({
      types: unknown.slice(0, 10).map((event) =>
        fault('not_an_event', 'must not have "{event}". The events are {known}', {
          event,
          known: loggedSelectors.join(', '),
        }),
      ),
    });
  }
  return names as EventSelector[];
}
