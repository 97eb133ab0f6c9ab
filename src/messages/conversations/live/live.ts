import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { createKeyedSemaphore } from '../../../platform/concurrency/keyed-semaphore.ts';
import type { Database } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors/api-error.ts';
import { fault } from '../../../platform/errors/fault.ts';
import { findNewestMessage } from '../conversation-queries.ts';
import type { LiveEvent } from '../dashboard-schema.ts';
import { watchConversations } from './conversation-changes.ts';
import { createTenantChanges } from './tenant-changes.ts';

/** Streams end after this time and browsers reconnect, so that a signed-out session loses its stream soon. */
const streamMs = 55_000;
/** How long changes are notified after the start of the latest stream. */
const watchMs = 2 * streamMs;
const heartbeatMs = 20_000;
/** Streams of one person. Every change is written to each. All tabs of a browser share one. */
const maxPerPerson = 20;
/**
 * A stream ends instead of growing beyond this in memory. The browser then resumes after the last event that it has.
 */
const maxUnreadBytes = 1024 * 1024;

/**
 * Sends browsers the changed conversations and topics of their tenant as server-sent events. One database connection
 * serves all streams of the process. It is opened for the first stream.
 */
export function createLiveStreams({ db, stopping }: { db: Database; stopping: AbortSignal }) {
  const changes = createTenantChanges(db, watchMs);
  /** Functions that end each stream. Browsers then connect to another process. */
  const ends = new Set<() => void>();
  stopping.addEventListener('abort', () => {
    for (const end of ends) end();
  });
  const ofPerson = createKeyedSemaphore<string>(maxPerPerson);

  /** @throws ApiError 429 */
  function takePlace(userId: string, { raw }: FastifyReply): void {
    const leave = ofPerson.tryAcquire(userId);
    if (!leave) {
      throw new ApiError('rate_limited', {
        message: fault(
          'open_too_often',
          'The dashboard is open too often. Close it in some windows.',
        ),
        retryAfterSeconds: 5,
      });
    }
    raw.once('close', leave);
  }

  /** @param position the id of the last event of the browser's previous stream; empty if there was none */
  return async function stream(
    { tenantId, userId, email }: { tenantId: number; userId: string; email: string },
    reply: FastifyReply,
    position: string,
  ): Promise<void> {
    const { raw } = reply;
    // The browser has already disconnected, so `close` will not be emitted again.
    if (raw.destroyed) {
      reply.hijack();
      return;
    }
    takePlace(userId, reply);
    await changes.listen();
    const { from, isResumed, isWatched } = changes.begin(tenantId, position);
    const watch = await watchConversations(db, tenantId, watchMs);
    const person = { email, user_id: userId };
    const first: LiveEvent =
      position === ''
        ? { kind: 'ready', ...person, newest: await findNewestMessage(db, tenantId) }
        : { kind: isResumed ? 'resumed' : 'restarted', ...person };
    reply.hijack();
    if (raw.destroyed) return;
    raw.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    const send = (event: LiveEvent, at?: string) => {
      if (raw.writableLength > maxUnreadBytes) {
        leave();
        raw.destroy();
        return;
      }
      raw.write(`${at === undefined ? '' : `id: ${at}\n`}data: ${JSON.stringify(event)}\n\n`);
    };
    raw.write('retry: 1000\n\n');
    const stop = changes.subscribe(tenantId, from, first, send);
    if (!isWatched) void changes.publishUnnotified(tenantId, watch, from);
    const heartbeat = setInterval(() => raw.write(': still here\n\n'), heartbeatMs);
    // A browser that stopped reading is still connected at the end. Nothing may be written after `end`.
    const leave = () => {
      clearInterval(heartbeat);
      clearTimeout(ending);
      ends.delete(end);
      stop();
    };
    const end = () => {
      leave();
      raw.end();
    };
    const ending = setTimeout(end, stopping.aborted ? 0 : streamMs);
    ends.add(end);
    raw.on('close', leave);
  };
}
