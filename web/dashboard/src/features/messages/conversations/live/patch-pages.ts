import { type ListPages, replaceFirstPart } from '../../../../api/list-parts.ts';
import type {
  ConversationData,
  ConversationsData,
  ConversationsFilter,
  LiveEvent,
  ThreadData,
} from '../../../../api/records.ts';

export type ConversationPages = ListPages<ConversationsData>;
export type ThreadPages = ListPages<ThreadData>;
type Message = Extract<LiveEvent, { kind: 'changed' }>['messages'][number];

export type ListQuery = { search: string; filter: ConversationsFilter; me: string | undefined };

/**
 * Puts a changed conversation into the loaded pages of a list: at its new place, or out of the list if it no
 * longer belongs there.
 *
 * @returns undefined if only the service knows whether the conversation belongs to the list, or what follows the
 * last one that was loaded
 */
export function patchList(
  data: ConversationPages,
  changed: ConversationData,
  query: ListQuery,
): ConversationPages | undefined {
  // A change neither adds to the results of a search nor moves them.
  if (query.search !== '') {
    return withLists(data, (list) => list.map((each) => (isSame(each) ? changed : each)));
  }
  const belongs = belongsTo(changed, query);
  if (belongs === undefined) return undefined;

  function isSame({ person }: ConversationData): boolean {
    return person === changed.person;
  }
  const without = withLists(data, (list) => list.filter((each) => !isSame(each)));
  if (belongs) return insert(without, changed);
  const isEmpty = without.pages.every((page) => page.conversations.length === 0);
  return isEmpty && without.pages.at(-1)?.next != null ? undefined : without;
}

function belongsTo(
  { unread, is_open, assignee, ...changed }: ConversationData,
  { filter, me }: ListQuery,
): boolean | undefined {
  const { view, number, status_id, source_id, group_id } = filter;
  if (number !== undefined && changed.number_id !== number) return false;
  if (status_id !== undefined && changed.status_id !== status_id) return false;
  if (source_id !== undefined && changed.source_id !== source_id) return false;
  if (group_id !== undefined && !changed.group_ids.includes(group_id)) return false;
  if (view === 'unread' && unread === 0) return false;
  if (view === 'unassigned' && !(is_open && assignee === null)) return false;
  // A tab without the stream learns late who `me` is.
  if (view === 'mine' && me === undefined) return undefined;
  return view !== 'mine' || (is_open && assignee === me);
}

/** The newest message comes first. A conversation that comes with the next page is left out. */
function insert(data: ConversationPages, changed: ConversationData): ConversationPages {
  let isPlaced = false;
  const pages = data.pages.map((page, index) => {
    if (isPlaced) return page;
    const at = page.conversations.findIndex(({ last }) => last.id < changed.last.id);
    const isEnd = index === data.pages.length - 1 && changed.last.id >= (page.next ?? 0);
    if (at < 0 && !isEnd) return page;
    isPlaced = true;
    const to = at < 0 ? page.conversations.length : at;
    return { ...page, conversations: page.conversations.toSpliced(to, 0, changed) };
  });
  return { ...data, pages };
}

/** Replaces the first page of a list. */
export function replaceFirstPage(
  data: ConversationPages,
  first: ConversationsData,
): ConversationPages {
  const idOf = ({ last }: ConversationData) => last.id;
  const { conversations, next } = first;
  // None is among those that the service has looked at. What is loaded after them stays.
  if (conversations.length === 0 && next !== null) {
    return withLists(data, (list) => list.filter((each) => idOf(each) < next));
  }
  return replaceFirstPart(data, first, 'conversations', idOf, ({ person }) => person);
}

/** Puts what has changed into the loaded pages of a thread. */
export function patchThread(
  data: ThreadPages,
  { conversations, messages }: Extract<LiveEvent, { kind: 'changed' }>,
): ThreadPages {
  const [newest, ...older] = data.pages;
  if (!newest) return data;
  const changed = conversations.find(({ person }) => person === newest.person);
  let pages = changed ? [{ ...newest, ...stateOf(changed, newest) }, ...older] : data.pages;
  for (const message of messages) {
    if (message.person === newest.person) pages = putMessage(pages, message);
  }
  return { ...data, pages };
}

function stateOf(
  { phone, name, contact_id, number_id, window_until, unread, is_open, assignee }: ConversationData,
  { windows }: ThreadData,
) {
  const others = windows.filter((each) => each.number_id !== number_id);
  return {
    shown_phone: phone,
    name,
    contact_id,
    number_id,
    windows: window_until === null ? others : [...others, { number_id, window_until }],
    unread,
    is_open,
    assignee,
  };
}

function putMessage(pages: ThreadData[], { person: _person, ...message }: Message): ThreadData[] {
  const isKnown = pages.some(({ messages }) => messages.some(({ id }) => id === message.id));
  if (isKnown) {
    return pages.map((page) => ({
      ...page,
      messages: page.messages.map((each) => (each.id === message.id ? message : each)),
    }));
  }
  const index = pages.findIndex(
    ({ messages, more }, at) =>
      messages.some(({ id }) => id < message.id) || (at === pages.length - 1 && !more),
  );
  return pages.map((page, at) => {
    if (at !== index) return page;
    const before = page.messages.findIndex(({ id }) => id < message.id);
    const to = before < 0 ? page.messages.length : before;
    return { ...page, messages: page.messages.toSpliced(to, 0, message) };
  });
}

/**
 * Replaces the first page of a thread. If the phone leads to another conversation now, the other pages go, because
 * they lack messages of that one.
 */
export function replaceNewest(data: ThreadPages, first: ThreadData): ThreadPages {
  const isOther = first.person !== data.pages[0]?.person;
  if (isOther) return { pages: [first], pageParams: [undefined] };
  return replaceFirstPart(data, first, 'messages', ({ id }) => id);
}

function withLists(
  data: ConversationPages,
  change: (list: ConversationData[]) => ConversationData[],
): ConversationPages {
  const pages = data.pages.map((page) => ({ ...page, conversations: change(page.conversations) }));
  return { ...data, pages };
}
