import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Network } from '../network.ts';
import type { ChatMessage, Phone } from '../types.ts';

const batchDelayMs = 40;
const maxEventsPerBatch = 500;
const heartbeatMs = 20_000;

type Change =
  | { kind: 'message'; message: ChatMessage }
  | { kind: 'phone'; phone: Phone }
  | { kind: 'reload' };

/** Streams changes to an open page, in batches so that a load test does not flood it. */
export function streamChanges(
  network: Network,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { changes } = network.state;
  // By message, phone or kind, because only the newest of each matters.
  let pending = new Map<string, Change>();
  let timer: NodeJS.Timeout | null = null;
  reply.hijack();
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  reply.raw.write('retry: 1000\n\n');

  function push(key: string, change: Change): void {
    pending.set(key, change);
    timer ??= setTimeout(flush, batchDelayMs).unref();
  }
  function flush(): void {
    timer = null;
    const list = pending.size > maxEventsPerBatch ? [{ kind: 'reload' }] : [...pending.values()];
    pending = new Map();
    reply.raw.write(`data: ${JSON.stringify(list)}\n\n`);
  }

  const onMessage = (message: ChatMessage) => push(message.wamid, { kind: 'message', message });
  const onPhone = (phone: Phone) => push(phone.phone, { kind: 'phone', phone });
  const onReload = () => push('reload', { kind: 'reload' });
  changes.on('message', onMessage);
  changes.on('status', onMessage);
  changes.on('phone', onPhone);
  changes.on('number', onReload);
  changes.on('cleared', onReload);
  const heartbeat = setInterval(() => reply.raw.write(': still here\n\n'), heartbeatMs).unref();

  request.raw.on('close', () => {
    if (timer) clearTimeout(timer);
    clearInterval(heartbeat);
    changes.off('message', onMessage);
    changes.off('status', onMessage);
    changes.off('phone', onPhone);
    changes.off('number', onReload);
    changes.off('cleared', onReload);
  });
}
