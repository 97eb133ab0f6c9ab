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
])('a change at %s is read the same wherever the service runs', (updated_at, moment) => {
  for (const place of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
    process.env.TZ = place;
    const reading = readCustom('order.updated', { id: '7', updated_at });
    expect(reading).toMatchObject({ changedAt: new Date(moment) });
  }
});
