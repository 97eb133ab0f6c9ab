import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createNetwork } from '../network.ts';
import type { ChatMessage } from '../types.ts';
import { streamChanges } from './phone-events.ts';

test('a page that does not read is disconnected before much of it is held in memory', async () => {
  const network = createNetwork(() => {}, null, { window: false });
  const app = Fastify({ forceCloseConnections: true });
  let isOpen = true;
  app.get('/events', (request, reply) => {
    reply.raw.on('close', () => {
      isOpen = false;
    });
    streamChanges(network, request, reply);
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    await app.close();
    await network.close();
  });
  const request = get(`${url}/events`, { agent: false }).on('error', () => {});
  const [response] = await once(request, 'response');
  response.on('error', () => {});

  const { changes } = network.state;
  const message = { phone: '15551234567', payload: { text: { body: 'x'.repeat(2_000_000) } } };
  for (let sent = 0; isOpen && sent < 20; sent++) {
    changes.emit('message', { ...message, wamid: `wamid.${sent}` } as unknown as ChatMessage);
    // The next batch.
    await pause(50);
  }
  expect(isOpen).toBe(false);
  expect(changes.listenerCount('message')).toBe(0);
});
