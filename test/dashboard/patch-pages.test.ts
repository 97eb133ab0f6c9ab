import { expect, test } from 'vitest';
import type { ConversationData } from '../../src/messages/conversations/dashboard-schema.ts';
import {
  type ConversationPages,
  type ListQuery,
  patchList,
  patchThread,
  replaceFirstPage,
  replaceNewest,
  type ThreadPages,
} from '../../web/dashboard/src/features/messages/conversations/live/patch-pages.ts';

const all: ListQuery = { search: '', filter: {}, me: 'me' };

function conversation(person: string, id: number, more: Partial<ConversationData> = {}) {
  const labels = { status_id: null, source_id: null, group_ids: [] };
  const state = { unread: 1, is_open: true, assignee: null, number_id: 1, ...labels, ...more };
  return { person, phone: person, last: { id }, ...state } as ConversationData;
}

/** Pages of conversations named by letters, whose messages have descending ids: 90, 80 and so on. */
function listOf(...pages: string[]): ConversationPages {
  let id = 100;
  return {
    pages: pages.map((names, index) => ({
      conversations: [...names].map((name) => {
        id -= 10;
        return conversation(name, id);
      }),
      more: index < pages.length - 1,
      next: index < pages.length - 1 ? id : null,
      newest: 90,
    })),
    pageParams: pages.map(() => undefined),
  };
}

const namesOf = (list: ConversationPages | undefined) =>
  list?.pages.map(({ conversations }) => conversations.map(({ person }) => person).join(''));

test('a conversation with a new message moves to the top, from any page', () => {
  const list = listOf('ab', 'cd', 'ef');
  expect(namesOf(patchList(list, conversation('e', 101), all))).toEqual(['eab', 'cd', 'f']);
  expect(namesOf(patchList(list, conversation('x', 101), all))).toEqual(['xab', 'cd', 'ef']);
  expect(namesOf(patchList(list, conversation('c', 70), all))).toEqual(['ab', 'cd', 'ef']);
});

test('a conversation after the last loaded one comes with the next page, or at the end', () => {
  const list = listOf('ab', 'cd');
  expect(namesOf(patchList(list, conversation('x', 5), all))).toEqual(['ab', 'cdx']);
  // The service has looked at those down to 20, so the next page lacks those above.
  list.pages[1]!.next = 20;
  expect(namesOf(patchList(list, conversation('x', 5), all))).toEqual(['ab', 'cd']);
  expect(namesOf(patchList(list, conversation('x', 30), all))).toEqual(['ab', 'cdx']);
});

test('a conversation enters and leaves a view as its state says', () => {
  const list = listOf('ab', 'cd');
  type State = Partial<ConversationData>;
  const views: [filter: ListQuery['filter'], outside: State, inside: State][] = [
    [{ view: 'unread' }, { unread: 0 }, { unread: 1 }],
    [{ view: 'unassigned' }, { assignee: 'me' }, { assignee: null }],
    [{ view: 'unassigned' }, { is_open: false }, {}],
    [{ view: 'mine' }, { assignee: 'other' }, { assignee: 'me' }],
    [{ view: 'mine' }, { assignee: 'me', is_open: false }, { assignee: 'me' }],
    [{ number: 1 }, { number_id: 2 }, { number_id: 1 }],
    [{ status_id: 1 }, { status_id: 2 }, { status_id: 1 }],
    [{ source_id: 1 }, {}, { source_id: 1 }],
    [{ group_id: 1 }, { group_ids: [2, 3] }, { group_ids: [2, 1] }],
  ];
  for (const [filter, outside, inside] of views) {
    const query = { ...all, filter };
    expect(namesOf(patchList(list, conversation('b', 80, outside), query))).toEqual(['a', 'cd']);
    expect(namesOf(patchList(list, conversation('x', 101, outside), query))).toEqual(['ab', 'cd']);
    expect(namesOf(patchList(list, conversation('x', 101, inside), query))).toEqual(['xab', 'cd']);
  }
});

test('the last loaded conversation stays when it changes, though more follow', () => {
  const list = listOf('ab', 'cd');
  list.pages[1]!.next = 60;
  expect(namesOf(patchList(list, conversation('d', 60), all))).toEqual(['ab', 'cd']);
  const only = { pages: [{ ...listOf('a').pages[0]!, next: 90 }], pageParams: [undefined] };
  expect(namesOf(patchList(only, conversation('a', 95), all))).toEqual(['a']);
  // Its latest message is gone, so that others that are not loaded may come before it.
  expect(namesOf(patchList(list, conversation('d', 5), all))).toEqual(['ab', 'c']);
});

test('only the service knows what follows the last conversation that left a view', () => {
  const query: ListQuery = { ...all, filter: { view: 'unread' } };
  const read = conversation('a', 90, { unread: 0 });
  expect(namesOf(patchList(listOf('a'), read, query))).toEqual(['']);
  const list = { pages: [{ ...listOf('a').pages[0]!, next: 90 }], pageParams: [undefined] };
  expect(patchList(list, read, query)).toBeUndefined();
});

test('without the id of the person, only the service knows whose conversations are theirs', () => {
  const query: ListQuery = { search: '', filter: { view: 'mine' }, me: undefined };
  for (const person of ['a', 'x']) {
    const changed = conversation(person, 101, { assignee: 'other' });
    expect(patchList(listOf('ab'), changed, query)).toBeUndefined();
  }
});

test('what a search found is updated in its place, and nothing is added', () => {
  const query = { ...all, search: 'ada' };
  expect(namesOf(patchList(listOf('ab'), conversation('b', 101), query))).toEqual(['ab']);
  expect(namesOf(patchList(listOf('ab'), conversation('x', 101), query))).toEqual(['ab']);
});

test('a first page that is read again keeps the others, unless conversations between them are missing', () => {
  const list = listOf('abc', 'def');
  const first = (names: string, ids: number[]) => ({
    conversations: [...names].map((name, index) => conversation(name, ids[index]!)),
    more: true,
    next: ids.at(-1)!,
    newest: ids[0]!,
  });
  expect(namesOf(replaceFirstPage(list, first('eab', [101, 90, 80])))).toEqual(['eabc', 'df']);
  expect(namesOf(replaceFirstPage(list, first('xyz', [120, 110, 100])))).toEqual(['xyz']);
  const whole = { ...first('ab', [90, 80]), more: false, next: null };
  expect(namesOf(replaceFirstPage(list, whole))).toEqual(['ab']);
  // None of the label is among the newest ones.
  const none = { conversations: [], more: true, next: 65, newest: 90 };
  expect(namesOf(replaceFirstPage(list, none))).toEqual(['', 'def']);
});

function threadOf(...pages: number[][]): ThreadPages {
  return {
    pages: pages.map((ids, index) => ({
      person: 'a',
      unread: 0,
      windows: [],
      messages: ids.map((id) => ({ id, status: 'sent' })),
      more: index < pages.length - 1,
    })),
    pageParams: pages.map(() => undefined),
  } as unknown as ThreadPages;
}

const idsOf = (thread: ThreadPages) =>
  thread.pages.map(({ messages }) => messages.map(({ id }) => id));

test('messages of an event enter their thread in order or change there, and no other thread', () => {
  const event = (id: number, person = 'a', status = 'read') =>
    ({
      kind: 'changed',
      conversations: [conversation('a', id, { unread: 7 })],
      messages: [{ id, person, status }],
    }) as unknown as Parameters<typeof patchThread>[1];
  const thread = threadOf([9, 7], [5, 3]);
  expect(idsOf(patchThread(thread, event(10)))).toEqual([
    [10, 9, 7],
    [5, 3],
  ]);
  expect(idsOf(patchThread(thread, event(6)))).toEqual([
    [9, 7],
    [6, 5, 3],
  ]);
  expect(idsOf(patchThread(thread, event(1)))).toEqual([
    [9, 7],
    [5, 3, 1],
  ]);
  expect(idsOf(patchThread(thread, event(10, 'b')))).toEqual([
    [9, 7],
    [5, 3],
  ]);
  const patched = patchThread(thread, event(5));
  expect(patched.pages[1]!.messages[0]).toEqual({ id: 5, status: 'read' });
  expect(patched.pages[0]!.unread).toBe(7);
});

test('a thread whose newest messages are read again keeps the older ones, unless they are now of another conversation', () => {
  const thread = threadOf([9, 7], [5, 3]);
  const first = { ...threadOf([11, 9]).pages[0]!, more: true };
  expect(idsOf(replaceNewest(thread, first))).toEqual([
    [11, 9, 7],
    [5, 3],
  ]);
  const merged = { ...first, person: 'b' };
  expect(idsOf(replaceNewest(thread, merged))).toEqual([[11, 9]]);
  const later = { ...threadOf([30, 20]).pages[0]!, more: true };
  expect(idsOf(replaceNewest(thread, later))).toEqual([[30, 20]]);
});
