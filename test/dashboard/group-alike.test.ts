import { expect, test } from 'vitest';
import { groupAlike } from '../../web/dashboard/src/features/webhooks/deliveries/group-alike.ts';

test('four or more deliveries in a row with the same event, state and response are one group', () => {
  const of = (count: number, event: string, state: 'failed' | 'delivered', status: number | null) =>
    Array.from({ length: count }, () => ({ event, state, attempts: [{ status: 1 }, { status }] }));
  const listed = [
    of(3, 'contact.read', 'delivered', 200),
    of(5, 'contact.read', 'failed', 500),
    of(4, 'contact.read', 'failed', null),
    of(1, 'contact.created', 'failed', null),
    of(4, 'contact.read', 'failed', null),
  ];
  const groups = groupAlike(listed.flat());
  expect(groups.map((group) => group.length)).toEqual([1, 1, 1, 5, 4, 1, 4]);
  expect(groups.flat()).toEqual(listed.flat());
  expect(groupAlike([])).toEqual([]);
});
