import { expect, test } from 'vitest';
import { createState, phoneOf, recordMessage } from './state.ts';
import type { ChatMessage } from './types.ts';

test('beyond the limit of chats the phones of the oldest are deleted, but not phones without a chat', () => {
  const state = createState();
  const write = (phone: string, wamid = phone) =>
    recordMessage(state, {
      wamid,
      phone,
      phone_number_id: '12345',
      direction: 'outbound',
      at: 0,
      type: 'text',
      payload: {},
      status: 'sent',
      statuses: [],
    } satisfies ChatMessage);
  phoneOf(state, '15550000000');
  for (let each = 0; each < 10_000; each++) write(String(2_000_000 + each));
  write('2000000', 'again');
  write('3000000');
  expect([state.phones.size, state.chats.size, state.messages.size]).toEqual([
    10_001, 10_000, 10_001,
  ]);
  expect(state.phones.has('2000001')).toBe(false);
  expect(state.messages.has('2000001')).toBe(false);
  expect(state.phones.has('2000000')).toBe(true);
  expect(state.phones.has('15550000000')).toBe(true);
});
