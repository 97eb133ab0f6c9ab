import { buttonsOf } from './bubble-buttons.js';
import { mediaOf } from './bubble-media.js';
import { el, icon, iconButton } from './dom.js';
import { clock, plainText } from './format.js';
import { richText } from './rich-text.js';
import { currentChat, replyTo, store } from './store.js';
import { write } from './write.js';

const reactions = ['👍', '❤️', '😂', '😮', '😢', '🙏'];

/** Renders a message of the conversation. A malformed message must not hide the others. */
export function bubble(message) {
  try {
    return bubbleOf(message);
  } catch {
    return el(
      'li.failed',
      {},
      icon('warning'),
      el('span', {}, `A message of type ${message.type}`),
    );
  }
}

function bubbleOf(message) {
  if (message.status === 'failed') return failedNote(message);
  const mine = message.direction === 'inbound';
  const reaction = reactionTo(message);
  return el(
    'li.message',
    { id: `m-${message.wamid}`, data: { mine: mine ? 'yes' : 'no' } },
    el(
      'div.bubble',
      { data: { type: message.type } },
      quoted(message),
      ...content(message),
      el('span.meta', {}, el('time', {}, clock(message.at)), ticks(message)),
      reaction ? el('span.reaction', { title: 'Reaction' }, reaction) : null,
    ),
    buttonsOf(message),
    mine ? null : actions(message),
  );
}

function content(message) {
  const { payload, type, rendered } = message;
  if (rendered) return templateCard(rendered);
  const body = payload[type] ?? {};
  if (type === 'text') return [paragraph(body.body)];
  if (type === 'button') return [paragraph(body.text)];
  if (type === 'interactive') return interactiveCard(body);
  const media = mediaOf(type, body, mediaPurpose(message));
  return [media, body.caption ? paragraph(body.caption) : null].filter(Boolean);
}

function mediaPurpose(message) {
  return message.direction === 'inbound' ? 'Sent by you' : 'Sent by the business';
}

function templateCard({ header, body, footer }) {
  const media =
    header &&
    header.format !== 'TEXT' &&
    mediaOf(header.format.toLowerCase(), { ...header, name: header.text }, 'Header');
  return [
    media || null,
    header?.format === 'TEXT' ? el('p.card-title', { dir: 'auto' }, header.text) : null,
    paragraph(body),
    footer ? el('p.card-footer', { dir: 'auto' }, footer) : null,
  ].filter(Boolean);
}

function interactiveCard(body) {
  if (body.button_reply ?? body.list_reply) {
    const reply = body.button_reply ?? body.list_reply;
    return [
      paragraph(reply.title),
      reply.description ? el('p.card-footer', { dir: 'auto' }, reply.description) : null,
    ].filter(Boolean);
  }
  if (body.nfm_reply) return [paragraph(body.nfm_reply.body)];
  return [
    body.header?.type === 'text' ? el('p.card-title', { dir: 'auto' }, body.header.text) : null,
    body.header && body.header.type !== 'text'
      ? mediaOf(body.header.type, body.header[body.header.type] ?? {}, 'Header')
      : null,
    paragraph(body.body?.text ?? ''),
    body.footer?.text ? el('p.card-footer', { dir: 'auto' }, body.footer.text) : null,
  ].filter(Boolean);
}

function paragraph(text) {
  return el('p.text', { dir: 'auto' }, richText(String(text ?? '')));
}

/** The buttons to react and reply, shown on hover and focus. */
function actions(message) {
  const menu = el('div.reactions', { role: 'group', 'aria-label': 'React with', hidden: true });
  const open = iconButton('smile', 'React', () => {
    menu.hidden = !menu.hidden;
    if (!menu.hidden) menu.firstElementChild.focus();
  });
  const chosen = reactionTo(message);
  for (const emoji of reactions) {
    const isChosen = chosen === emoji;
    const press = () => {
      menu.hidden = true;
      write({
        type: 'reaction',
        reaction: { message_id: message.wamid, emoji: isChosen ? '' : emoji },
      });
    };
    menu.append(
      el(
        'button',
        { type: 'button', 'aria-label': emoji, 'aria-pressed': String(isChosen), onclick: press },
        emoji,
      ),
    );
  }
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    menu.hidden = true;
    open.focus();
  });
  return el(
    'div.message-actions',
    {},
    open,
    iconButton('reply', 'Reply', () => replyTo(message)),
    menu,
  );
}

function quoted(message) {
  const id =
    message.direction === 'inbound'
      ? message.payload.context?.id
      : message.payload.context?.message_id;
  const original = id && currentChat()?.messages.find((one) => one.wamid === id);
  if (!original) return null;
  const who =
    original.direction === 'inbound'
      ? 'You'
      : (store.numbers.get(store.numberId)?.verified_name ?? '');
  const jump = () =>
    document.getElementById(`m-${id}`)?.scrollIntoView({ block: 'center', behavior: 'smooth' });
  return el(
    'button.quote',
    { type: 'button', onclick: jump },
    el('strong', {}, who),
    el('span', { dir: 'auto' }, plainText(original)),
  );
}

function reactionTo(message) {
  const reaction = currentChat()?.messages.findLast(
    (one) =>
      one.type === 'reaction' &&
      (one.payload.reaction?.message_id ?? '') === message.wamid &&
      one.status !== 'failed',
  );
  return reaction?.payload.reaction.emoji || null;
}

/** The ticks: of the phone's message, whether the business has seen it; of the business's, its reported status. */
function ticks(message) {
  if (message.direction === 'inbound') {
    const label = message.seen ? 'Seen by the business' : 'Sent';
    return el(
      'span.ticks',
      {
        title: label,
        role: 'img',
        'aria-label': label,
        data: { read: message.seen ? 'yes' : 'no' },
      },
      icon(message.seen ? 'ticks' : 'tick'),
    );
  }
  const read = message.status === 'read';
  const label = read
    ? 'The business knows that you read this'
    : 'The business knows that this arrived';
  return el(
    'span.ticks',
    { title: label, role: 'img', 'aria-label': label, data: { read: read ? 'yes' : 'no' } },
    icon('ticks'),
  );
}

function failedNote(message) {
  const { code, title } = message.error ?? {};
  return el(
    'li.failed',
    { id: `m-${message.wamid}` },
    icon('warning'),
    el('span', {}, `A message did not reach this phone: ${code}, ${title}.`),
    el('time', {}, clock(message.at)),
  );
}
