import { bubble } from './bubble.js';
import { composer } from './composer.js';
import { avatar, el, iconButton } from './dom.js';
import { dayName } from './format.js';
import { openScreen } from './screen.js';
import { currentChat, store, visibleMessages, waitingCount } from './store.js';

const pane = document.getElementById('conversation');
let shown = null;
let log = null;
let list = null;
let footer = null;
// Whether the end is visible and should stay visible when messages are added.
let isFollowing = true;
const resizes = new ResizeObserver(scrollToEnd);

/** Renders the open chat. Its frame is created once per chat, so that a draft survives. */
export function showConversation(part) {
  const number = store.numbers.get(store.numberId);
  const phone = store.phones.get(store.phone);
  if (!number || !phone) return showNothing();
  const key = `${store.phone}:${store.numberId}:${phone.on}`;
  if (shown !== key) {
    shown = key;
    list = el('ol.messages');
    log = el('div.log', { role: 'log', 'aria-label': 'Messages', tabindex: '0' }, list);
    isFollowing = true;
    log.addEventListener('scroll', () => {
      isFollowing = log.scrollHeight - log.scrollTop - log.clientHeight < 80;
    });
    // A loaded image makes the list taller, a long draft makes the log shorter.
    resizes.disconnect();
    resizes.observe(list);
    resizes.observe(log);
    footer = el('div.footer');
    pane.replaceChildren(header(number), log, footer);
    fillFooter(phone);
    fillLog();
    return;
  }
  if (part === 'reply') {
    fillFooter(phone);
  } else if (part === 'message' || part === 'all') {
    fillLog();
    if (!phone.on) fillFooter(phone);
  }
}

function showNothing() {
  shown = null;
  resizes.disconnect();
  pane.replaceChildren(
    el(
      'div.nothing',
      {},
      el('div.nothing-art', { 'aria-hidden': 'true' }, el('span'), el('span'), el('span')),
      el('h2', {}, store.phone ? 'Choose a chat' : 'A phone of your own'),
      el(
        'p',
        {},
        'Messages that a business sends through the simulated network arrive here, as on a customer’s phone. Nothing leaves this machine.',
      ),
    ),
  );
}

function header(number) {
  return el(
    'header.conversation-header',
    {},
    iconButton('back', 'Back to the chats', () => openScreen('chats'), { id: 'back' }),
    avatar(number.verified_name, number.phone_number_id),
    el(
      'div.conversation-title',
      {},
      el('h2', { dir: 'auto' }, number.verified_name),
      el('p', {}, `Business account · ${number.display_phone_number}`),
    ),
  );
}

function scrollToEnd() {
  if (isFollowing) log.scrollTop = log.scrollHeight;
}

function fillLog() {
  const messages = visibleMessages(currentChat());
  // Unchanged nodes stay, because rendering all of them would lose the focus and stop playing audio.
  const existing = new Map([...list.children].map((node) => [node.dataset.key, node]));
  const wanted = [];
  let day = null;
  for (const message of messages) {
    const name = dayName(message.at);
    if (name !== day) {
      day = name;
      wanted.push(
        existing.get(`day ${name}`) ?? keyed(el('li.day', {}, el('span', {}, name)), `day ${name}`),
      );
    }
    const key = keyOf(message);
    wanted.push(existing.get(key) ?? keyed(bubble(message), key));
  }
  if (messages.length === 0) {
    wanted.push(keyed(el('li.day', {}, el('span', {}, 'No messages yet')), 'empty'));
  }
  const stay = new Set(wanted);
  for (const node of [...list.children]) if (!stay.has(node)) node.remove();
  wanted.forEach((node, index) => {
    if (list.children[index] !== node) list.insertBefore(node, list.children[index] ?? null);
  });
  scrollToEnd();
}

function keyOf(message) {
  const reactions = (currentChat()?.messages ?? []).filter(
    (one) => one.type === 'reaction' && one.payload.reaction?.message_id === message.wamid,
  );
  return `${message.wamid} ${message.status} ${message.seen ?? ''} ${reactions.at(-1)?.wamid ?? ''}`;
}

function keyed(node, key) {
  node.dataset.key = key;
  return node;
}

function fillFooter(phone) {
  if (phone.on) {
    footer.replaceChildren(composer());
    return;
  }
  const waiting = waitingCount(currentChat());
  const note =
    waiting === 0
      ? 'This phone is off. Messages wait until it is on again.'
      : `This phone is off. ${waiting} ${waiting === 1 ? 'message waits' : 'messages wait'} for it.`;
  footer.replaceChildren(el('p.phone-off', { role: 'status' }, note));
}
