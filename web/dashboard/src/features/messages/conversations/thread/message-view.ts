import { createElement } from 'react';
import type {
  MessageAction,
  MessageView,
  Quote,
  Tick,
} from '../../../../../../message/message-view.ts';
import { oneLine } from '../../../../../../message/one-line.ts';
import { noteReaction, type Reactions } from '../../../../../../message/reactions.ts';
import { field, record, text } from '../../../../../../message/read-json.ts';
import { conversations as t } from '../../../../../../texts/conversations.ts';
import { formatExactTime } from '../../../../../../texts/format.ts';
import { textOr } from '../../../../../../texts/translator.ts';
import type { MessageData } from '../../../../api/records.ts';
import { Said } from '../../../../api/said.tsx';
import { buttonsOf } from '../../../templates/template-card.ts';
import { bodyOf, editedBody } from './message-body.ts';

export type Thread = {
  /** The name of the other side. */
  person: string;
  /** Returns the address of the file of a message. */
  mediaAddress: (messageId: number) => string;
  /** Returns the name of a number, if the messages may be of several. */
  numberName?: (numberId: number) => string | undefined;
  /** Returns the name of a colleague who wrote a message; undefined for the person who looks at it. */
  memberName?: (member: string) => string | undefined;
};

/** The views that were drawn of messages: each as it was read, and with what later messages added. */
export type DrawnViews = WeakMap<MessageData, { read: MessageView; view: MessageView }>;

/**
 * Reads the messages of a conversation, as Parley stores them, for a member of the tenant.
 *
 * @param messages oldest first; a reaction, a change or a deletion becomes part of the message it is about, if that is
 *   among them
 * @param drawn the views that are drawn already. A message that still looks the same has the same view as before, so
 *   that React does not draw it again
 */
export function viewsOf(
  messages: MessageData[],
  thread: Thread,
  drawn: DrawnViews = new WeakMap(),
): MessageView[] {
  const shown = new Map<string, MessageView>();
  const reactions: Reactions = new Map();
  const known = new Set(messages.map(({ network_id }) => network_id));
  const views = new Map<MessageData, MessageView>();
  let numberBefore: number | undefined;
  for (const message of messages) {
    const { network_id: networkId, content, kind, direction } = message;
    const own = record(field(content, kind));
    const about = text(own.message_id);
    if (kind === 'reaction' && known.has(about)) {
      const isMine = direction === 'out';
      const author = isMine ? t('you') : thread.person;
      noteReaction(reactions, about, { emoji: text(own.emoji), isMine, author });
      continue;
    }
    const original = shown.get(text(own.original_message_id));
    if (original && changeView(original, message)) continue;
    const quoted = shown.get(text(field(content, 'reply_to')));
    const numberName = message.number_id === numberBefore ? undefined : thread.numberName;
    numberBefore = message.number_id;
    const read = drawn.get(message)?.read ?? viewOf(message, thread);
    const view = { ...read, note: noteOf(message, { ...thread, numberName }) };
    if (quoted) view.quote = quoteOf(quoted, thread.person);
    views.set(message, view);
    drawn.set(message, { read, view: drawn.get(message)?.view ?? view });
    if (networkId) shown.set(networkId, view);
  }
  // A reaction comes after its message.
  for (const [about, bySide] of reactions) {
    const view = shown.get(about);
    if (view) view.reactions = [...bySide.values()];
  }
  return [...views].map(([message, view]) => {
    const before = drawn.get(message)!;
    if (!isSame(before.view, view)) before.view = view;
    return before.view;
  });
}

/** What later messages change in a view, or earlier ones. */
const added: readonly string[] = ['body', 'quote', 'reactions'] satisfies (keyof MessageView)[];

/** Whether two views of the same message look the same. */
function isSame(one: MessageView, other: MessageView): boolean {
  return Object.entries(other).every(([name, value]) => {
    const before = one[name as keyof MessageView];
    if (before === value) return true;
    return added.includes(name) && JSON.stringify(before) === JSON.stringify(value);
  });
}

/**
 * Shows in a message that its author changed or deleted it later.
 *
 * @returns whether the later message is such a change
 */
function changeView(view: MessageView, message: MessageData): boolean {
  const { kind, direction } = message;
  if (view.isMine !== (direction === 'out')) return false;
  if (kind === 'edit') {
    view.body = editedBody(view.body, message);
    if (!view.note?.startsWith(t('edited')))
      view.note = [t('edited'), view.note].filter(Boolean).join(' · ');
  } else if (kind === 'revoke') {
    view.warning = view.isMine ? t('deletedInApp') : t('deletedByPerson');
  }
  return kind === 'edit' || kind === 'revoke';
}

/** Labels a message that changes another one or was forwarded, with its number and its author as far as they are given. */
function noteOf(
  message: MessageData,
  { numberName, memberName }: Pick<Thread, 'numberName' | 'memberName'>,
): string | undefined {
  const { kind, content, number_id } = message;
  const parts = [
    kind === 'edit' ? t('kinds.edit') : undefined,
    content.forwarded || content.frequently_forwarded ? t('forwarded') : undefined,
    numberName?.(number_id),
    authorOf(message, memberName),
  ];
  return parts.filter(Boolean).join(' · ') || undefined;
}

/** Who wrote a message of the tenant, unless it is the person who looks at it. */
function authorOf(
  { direction, cause, member }: MessageData,
  memberName: Thread['memberName'],
): string | undefined {
  if (direction === 'in') return undefined;
  if (cause === 'app') return t('fromApp');
  if (cause === 'member') return member ? memberName?.(member) : undefined;
  return textOr(t, `authors.${cause ?? 'api'}`, '');
}

/** Converts one message of the API to a view. */
export function viewOf(
  message: MessageData,
  { mediaAddress, ...names }: Omit<Thread, 'person'>,
): MessageView {
  const { id, direction, status, failure, created_at: at } = message;
  const isMine = direction === 'out';
  return {
    id: String(id),
    at,
    isMine,
    body: bodyOf(message, mediaAddress(id)),
    actions: actionsOf(message),
    quote: referralOf(message),
    reactions: [],
    note: noteOf(message, names),
    tick: isMine ? tickOf(status) : undefined,
    timeline: timelineOf(message),
    warning: status === 'unknown' ? t('unknownWarning') : undefined,
    failure:
      failure && status === 'failed'
        ? {
            words: createElement(Said, { says: failure.words_says, text: failure.words }),
            details: detailsOf(failure),
          }
        : undefined,
  };
}

function actionsOf({ kind, content }: MessageData): MessageAction[] {
  if (kind === 'template') return buttonsOf(content);
  const asksForPhone = field(field(content, 'interactive'), 'type') === 'request_contact_info';
  return asksForPhone ? [{ kind: 'reply', text: t('sharePhone'), key: 'contact' }] : [];
}

function detailsOf({ details, code }: NonNullable<MessageData['failure']>): string {
  if (code === null) return details ?? '';
  return details
    ? t('detailsWithCode', { details, code: String(code) })
    : t('code', { code: String(code) });
}

/** Says how far a message of one's own has come. */
export function tickOf(status: MessageData['status']): Tick {
  const words = t(`states.${status}`);
  if (status === 'accepting') return { step: 'sending', words };
  return { step: status === 'received' ? 'sent' : status, words };
}

function timelineOf({ sent_at, delivered_at, read_at, failed_at }: MessageData): string {
  const steps = [
    ['sent', sent_at],
    ['delivered', delivered_at],
    ['read', read_at],
    ['failed', failed_at],
  ] as const;
  return steps
    .flatMap(([step, at]) =>
      at ? [t('step', { state: t(`states.${step}`), time: formatExactTime(at) })] : [],
    )
    .join('\n');
}

/** The advertisement or post that led the person here. */
function referralOf({ content }: MessageData): Quote | undefined {
  const [headline, body, url, type] = ['headline', 'body', 'source_url', 'source_type'].map(
    (name) => text(field(content.referral, name)),
  );
  const words = headline || body || url;
  return words ? { author: t(type === 'post' ? 'post' : 'ad'), text: words, url } : undefined;
}

function quoteOf(original: MessageView, person: string): Quote {
  return {
    author: original.isMine ? t('you') : person,
    text: oneLine(original),
    messageId: original.id,
  };
}
