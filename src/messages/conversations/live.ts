import type { FastifyReply } from 'fastify';
import type { Database } from '../../platform/database.ts';
import {
  conversationChannel,
  readConversationChange,
  watchConversations,
} from './conversation-changes.ts';

/** A stream ends by itself, and its reader asks again: so one who was signed out loses it soon. */
const streamMs = 55_000;
const heartbeatMs = 20_000;

/**
 * Tells browsers which conversations of their tenant have changed, as server-sent events. One
 * connection to the database serves all streams of the process; it is opened for the first one.
 */
export function createLiveStreams({ db }: { db: Database }) {
  const streams = new Map<number, Set<(phones: string[]) => void>>();
  let listening: Promise<unknown> | undefined;

  function onNotify(payload: string): void {
    const change = readConversationChange(payload);
    // Nobody knows what was missed: everybody looks for themselves.
    if (!change) {
      for (const each of streams.values()) for (const send of each) send([]);
      return;
    }
    for (const send of streams.get(change.tenantId) ?? []) send(change.phones);
  }

  return async function stream(tenantId: number, reply: FastifyReply): Promise<void> {
    listening ??= db.listen(conversationChannel, onNotify).catch((error) => {
      listening = undefined;
      throw error;
    });
    await listening;
    await watchConversations(db, tenantId, 2 * streamMs);
    reply.hijack();
    const { raw } = reply;
    // The browser left meanwhile, and nobody would tell of that again.
    if (raw.destroyed) return;
    raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const send = (phones: string[]) => raw.write(`data: ${JSON.stringify({ phones })}\n\n`);
    const ofTenant = streams.get(tenantId) ?? new Set();
    streams.set(tenantId, ofTenant.add(send));
    raw.write('retry: 1000\n\n');
    // Nobody was told of what happened before.
    send([]);
    const heartbeat = setInterval(() => raw.write(': still here\n\n'), heartbeatMs);
    // A reader that has stopped reading is still there at the end: nothing may be written after it.
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
