import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Network } from '../network.ts';
import type { Change, ChatMessage } from '../types.ts';
import { summaryOf } from './phone-summary.ts';

const batchDelayMs = 40;
const maxEventsPerBatch = 500;
const heartbeatMs = 20_000;
/** A page that has not read this much is disconnected. It reconnects and reloads when it reads again. */
const maxUnreadBytes = 1024 * 1024;
const reload: Change[] = [{ kind: 'reload' }];

/** Streams changes to an open page, in batches so that a load test does not flood it. */
export function streamChanges(
  network: Network,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { changes, phones } = network.state;
  // By message or kind, because only the newest of each matters.
  let pending = new Map<string, Change>();
  const changedPhones = new Set<string>();
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
  function pushPhone(phone: string): void {
    changedPhones.add(phone);
    timer ??= setTimeout(flush, batchDelayMs).unref();
  }
  function flush(): void {
    timer = null;
    const list =
      Math.max(pending.size, changedPhones.size) > maxEventsPerBatch ? reload : collect();
    pending = new Map();
    changedPhones.clear();
    write(`data: ${JSON.stringify(list)}\n\n`);
  }
  function write(text: string): void {
    if (reply.raw.writableLength > maxUnreadBytes) reply.raw.destroy();
    else reply.raw.write(text);
  }
  function collect(): Change[] {
    const found = [...changedPhones].flatMap((digits) => phones.get(digits) ?? []);
    return [
      ...pending.values(),
      ...found.map((phone) => ({ kind: 'phone' as const, phone: summaryOf(network, phone) })),
    ];
  }

  const onMessage = (message: ChatMessage) => {
    push(message.wamid, { kind: 'message', message });
    pushPhone(message.phone);
  };
  const onPhone = ({ phone }: Pick<ChatMessage, 'phone'>) => pushPhone(phone);
  const onTyping = ({ phone, phone_number_id }: Pick<ChatMessage, 'phone' | 'phone_number_id'>) =>
    push(`${phone_number_id} ${phone}`, { kind: 'typing', phone, phone_number_id });
  const onReload = () => push('reload', { kind: 'reload' });
  const onBehaviour = () =>
    push('behaviour', { kind: 'behaviour', rules: network.behaviours.list() });
  changes.on('message', onMessage);
  changes.on('status', onMessage);
  changes.on('phone', onPhone);
  changes.on('typing', onTyping);
  changes.on('behaviour', onBehaviour);
  changes.on('number', onReload);
  changes.on('cleared', onReload);
  const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs).unref();

  request.raw.on('close', () => {
    if (timer) clearTimeout(timer);
    clearInterval(heartbeat);
    changes.off('message', onMessage);
    changes.off('status', onMessage);
    changes.off('phone', onPhone);
    changes.off('typing', onTyping);
    changes.off('behaviour', onBehaviour);
    changes.off('number', onReload);
    changes.off('cleared', onReload);
  });
}
