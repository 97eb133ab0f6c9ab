import { afterEach, expect, test } from 'vitest';
import { readCustom } from './read-custom.ts';

const { TZ: zone } = process.env;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test.each([
  ['2026-03-08T02:45:00', '2026-03-08T02:45:00.000Z'],
  ['2026-03-08T02:45:00-05:00', '2026-03-08T07:45:00.000Z'],
])('a change at %s is read the same in every time zone of the service', (updated_at, time) => {
  for (const place of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
    process.env.TZ = place;
    const reading = readCustom('order.updated', { id: '7', updated_at });
    expect(reading).toMatchObject({ changedAt: new Date(time) });
  }
});

test.each([
  ['order.created', { updated_at: '2026-03-08T02:45:00Z' }, 'it has no id'],
  ['order.created', { id: '7'.repeat(101), total: '1' }, 'its id is longer than 100 characters'],
  ['customer.created', { id: '7' }, 'it has only an id'],
  ['order.deleted', { id: '7', total: '1' }, 'it has more than an id'],
] as const)(
  'a body that does not match the topic %s is skipped, with the reason',
  (topic, payload, fault) => {
    const reason = `The body does not match the topic ${topic}: ${fault}.`;
    expect(readCustom(topic, payload)).toMatchObject({
      state: 'skipped',
      reason: { text: reason },
    });
  },
);
