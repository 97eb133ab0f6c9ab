import { readText, readWhole } from '../../../shell/read-search.ts';

export type InboxView = 'unread' | 'unassigned' | 'mine';
const views: readonly unknown[] = ['unread', 'unassigned', 'mine'] satisfies InboxView[];

/** The search parameters of the conversations page: the open conversation, and a filter of the list. */
export type ConversationSearch = {
  phone?: string | undefined;
  /** The search text for all conversations. */
  q?: string | undefined;
  view?: InboxView | undefined;
  number?: number | undefined;
  /** The list is filtered by one label at most. */
  status?: number | undefined;
  source?: number | undefined;
  group?: number | undefined;
};

/** Omitted parameters are set to undefined, because the router would keep them. */
export function readConversationSearch(search: Record<string, unknown>): ConversationSearch {
  return {
    phone: readPhone(search.phone),
    q: readText(search.q, 255),
    view: views.includes(search.view) ? (search.view as InboxView) : undefined,
    number: readWhole(search.number, 1),
    status: readWhole(search.status, 1),
    source: readWhole(search.source, 1),
    group: readWhole(search.group, 1),
  };
}

/** In an address `+` may have become a space, and the router may have parsed the phone as a number. */
function readPhone(phone: unknown = ''): string | undefined {
  const text = String(phone);
  // The network's id of a person whose phone is hidden.
  if (text.startsWith('user:')) return text;
  const digits = text.replace(/\D/g, '');
  return digits === '' ? undefined : `+${digits}`;
}

/** Whether the list is narrowed to a number or a label. */
export function isNarrowed({ number, status, source, group }: ConversationSearch): boolean {
  return [number, status, source, group].some((each) => each !== undefined);
}

/** The query of the API for the list. */
export function inboxQuery({ view, number, status, source, group }: ConversationSearch) {
  return { view, number, status_id: status, source_id: source, group_id: group };
}
