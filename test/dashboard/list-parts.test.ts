import { expect, test } from 'vitest';
import { replaceFirstPart } from '../../web/dashboard/src/api/list-parts.ts';

const part = (ids: number[], more = true) => ({ events: ids.map((id) => ({ id })), more });
const idsOf = ({ pages }: { pages: Record<string, unknown>[] }) =>
  pages.map((page) => (page.events as { id: number }[]).map(({ id }) => id));
const replaceFirst = (first: ReturnType<typeof part>) =>
  replaceFirstPart(loaded, first, 'events', ({ id }) => id);
const loaded = { pages: [part([9, 8, 7]), part([6, 5, 4])], pageParams: [undefined, 7] };

test('the first part of a list is replaced, and nothing is in it twice', () => {
  expect(idsOf(replaceFirst(part([11, 10, 9])))).toEqual([
    [11, 10, 9, 8, 7],
    [6, 5, 4],
  ]);
  // An item of the first part is gone, so that one of the second part moved up.
  expect(idsOf(replaceFirst(part([9, 7, 6])))).toEqual([
    [9, 7, 6],
    [5, 4],
  ]);
});

test('older parts go if something between may be missing, or if there is nothing more', () => {
  expect(idsOf(replaceFirst(part([30, 29, 28])))).toEqual([[30, 29, 28]]);
  expect(idsOf(replaceFirst(part([9, 8], false)))).toEqual([[9, 8]]);
  // Otherwise the last part would be empty, and not say where the list goes on.
  expect(idsOf(replaceFirst(part([6, 5, 4])))).toEqual([[6, 5, 4]]);
});
