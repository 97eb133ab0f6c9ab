import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { createKeyedSemaphore } from '../../platform/concurrency/keyed-semaphore.ts';
import type { Database } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import {
  conversationChannel,
  readConversationChange,
  watchConversations,
} from './conversation-changes.ts';

/** Streams end after this time and browsers reconnect, so that a signed-out session loses its stream soon. */
const streamMs = 55_000;
const heartbeatMs = 20_000;
/** Streams of one person. Every change is written to each, and a browser opens up to six. */
const maxPerPerson = 20;

/**
 * Notifies browsers of changed conversations of their tenant, as server-sent events. One database
 * connection serves all streams of the process. It is opened for the first stream.
 */
export function createLiveStreams({ db }: { db: Database }) {
  const streams = new Map<number, Set<(phones: string[]) => void>>();
  const ofPerson = createKeyedSemaphore<string>(maxPerPerson);
  let listening: Promise<unknown> | undefined;

  function onNotify(payload: string): void {
    const change = readConversationChange(payload);
    // Notifications may have been missed, so every browser reloads.
    if (!change) {
      for (const each of streams.values()) for (const send of each) send([]);
      return;
    }
    for (const send of streams.get(change.tenantId) ?? []) send(change.phones);
  }

  /** @throws ApiError 429 */
  function takePlace(userId: string, { raw }: FastifyReply): void {
    const leave = ofPerson.tryAcquire(userId);
    if (!leave) {
      throw new ApiError('rate_limited', {
        message: 'The dashboard is open too often. Close it in some windows.',
        retryAfterSeconds: 5,
      });
    }
    raw.once('close', leave);
  }

  return async function stream(
    { tenantId, userId }: { tenantId: number; userId: string },
    reply: FastifyReply,
  ): Promise<void> {
    const { raw } = reply;
    // The browser has already disconnected, so `close` will not be emitted again.
    if (raw.destroyed) {
      reply.hijack();
      return;
    }
    takePlace(userId, reply);
    listening ??= db.listen(conversationChannel, onNotify);
    await listening;
    await watchConversations(db, tenantId, 2 * streamMs);
    reply.hijack();
    if (raw.destroyed) return;
    raw.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    const send = (phones: string[]) => raw.write(`data: ${JSON.stringify({ phones })}\n\n`);
    const ofTenant = streams.get(tenantId) ?? new Set();
    streams.set(tenantId, ofTenant.add(send));
    raw.write('retry: 1000\n\n');
    // Changes before this point were not notified.
    send([]);
    const heartbeat = setInterval(() => raw.write(': still here\n\n'), heartbeatMs);
    // A browser that stopped reading is still connected at the end. Nothing may be written after `end`.
    const leave = () => {
      clearInterval(heartbeat);
      clearTimeout(end);
      if (ofTenant.delete(send) && ofTenant.size === 0) streams.delete(tenantId);
    };
    const end = setTimeout(() => {
      leave();
      raw.end();
    }, streamMs);
    raw.on('close', leave);
  };
}
