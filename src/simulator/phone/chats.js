import { attempt, avatar, el, icon, iconButton } from './dom.js';
import { openDrawer } from './drawer.js';
import { dayOrTime, plainText } from './format.js';
import { call } from './network.js';
import { addPhone } from './rail.js';
import { openScreen } from './screen.js';
import { chooseChat, isUnread, sortedChats, store, visibleMessages } from './store.js';

const column = document.getElementById('chats');

/** Renders the chats of the selected phone, newest first, and the businesses without a chat. */
export function showChats() {
  const phone = store.phones.get(store.phone);
  if (!store.loaded) return;
  const focused = column.contains(document.activeElement) ? document.activeElement.id : null;
  column.replaceChildren(...(phone ? chatsOf(phone) : welcome()));
  if (focused) document.getElementById(focused)?.focus();
}

function chatsOf(phone) {
  const chats = sortedChats();
  const others = [...store.numbers.values()].filter(
    (number) => !store.chats.has(number.phone_number_id),
  );
  return [
    el(
      'header.chats-header',
      {},
      el(
        'div.chats-title',
        {},
        el('h2', { dir: 'auto' }, phone.name),
        phone.name !== `+${phone.phone}` && el('p', {}, `+${phone.phone}`),
      ),
      powerSwitch(phone),
      iconButton('sliders', 'Behaviour of the network', () => attempt(openDrawer), {
        id: 'open-drawer',
      }),
    ),
    store.online
      ? null
      : el(
          'p.offline',
          { role: 'status' },
          icon('warning'),
          'The simulator is not reachable. Trying again.',
        ),
    el('ul.chat-list', {}, chats.map(chatRow)),
    others.length > 0 &&
      el('h3.chats-other', {}, chats.length > 0 ? 'Other businesses' : 'Write to a business'),
    others.length > 0 &&
      el(
        'ul.chat-list',
        {},
        others.map((number) => chatRow({ phone_number_id: number.phone_number_id, messages: [] })),
      ),
    store.numbers.size === 0 &&
      el(
        'p.empty',
        {},
        'No business number is on this network yet. One appears here when a tenant connects a simulated number.',
      ),
  ].filter(Boolean);
}

function powerSwitch(phone) {
  const label = phone.on ? 'Switch this phone off' : 'Switch this phone on';
  return el(
    'button.icon-button.power',
    {
      type: 'button',
      id: 'power',
      role: 'switch',
      'aria-checked': String(phone.on),
      'aria-label': 'Phone is on',
      title: label,
      onclick: () =>
        attempt(() => call('PATCH', `/simulator/phones/${phone.phone}`, { on: !phone.on })),
    },
    icon('power'),
  );
}

function chatRow(chat) {
  const number = store.numbers.get(chat.phone_number_id);
  const name = number?.verified_name ?? 'Unknown business';
  const messages = visibleMessages(chat);
  const last = messages.at(-1);
  const unread = messages.filter(isUnread).length;
  const current = chat.phone_number_id === store.numberId;
  return el(
    'li',
    {},
    el(
      'button.chat-row',
      {
        type: 'button',
        id: `chat-${chat.phone_number_id}`,
        'aria-current': current ? 'true' : undefined,
        onclick: () => {
          chooseChat(chat.phone_number_id);
          openScreen('conversation');
        },
      },
      avatar(name, chat.phone_number_id),
      el(
        'span.chat-row-main',
        {},
        el(
          'span.chat-row-top',
          {},
          el('strong', { dir: 'auto' }, name),
          last ? el('time', {}, dayOrTime(last.at)) : null,
        ),
        el(
          'span.chat-row-bottom',
          {},
          el(
            'span.preview',
            {},
            last?.direction === 'inbound' && last.status !== 'failed'
              ? el('span.preview-from', {}, 'You: ')
              : null,
            // A separate element, so that the text has its own direction.
            el(
              'span.preview-text',
              { dir: 'auto' },
              last ? preview(last) : (number?.display_phone_number ?? ''),
            ),
          ),
          unread > 0
            ? el('span.badge', {}, String(unread), el('span.unseen', {}, ' unread'))
            : null,
        ),
      ),
    ),
  );
}

function preview(message) {
  return message.status === 'failed' ? 'A message did not arrive' : plainText(message);
}

function welcome() {
  return [
    el('header.chats-header', {}, el('div.chats-title', {}, el('h2', {}, 'Parley simulator'))),
    el(
      'div.empty',
      {},
      el(
        'p',
        {},
        'No phone is on this network yet. One appears as soon as a business writes to it, or add one yourself.',
      ),
      el('button.button.primary', { type: 'button', onclick: addPhone }, 'Add a phone'),
    ),
  ];
}
