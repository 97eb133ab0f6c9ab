import { attempt, el, icon, iconButton } from './dom.js';
import { plainText } from './format.js';
import { sendFile } from './network.js';
import { sampleContact, sampleLocation, samplePhoto } from './samples.js';
import { changed, replyTo, store } from './store.js';
import { write } from './write.js';

/** Drafts by phone and number. */
const drafts = new Map();
const draftKey = () => `${store.phone}:${store.numberId}`;

/** Renders the field for a message. A draft survives rendering. */
export function composer() {
  const key = draftKey();
  const input = el('textarea', {
    id: 'answer',
    rows: '1',
    dir: 'auto',
    placeholder: 'Message',
    'aria-label': 'Write a message',
    maxlength: '4096',
    value: drafts.get(key) ?? '',
    oninput: () => {
      drafts.set(key, input.value);
      grow(input);
    },
    onkeydown: (event) => {
      if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        void submit();
      } else if (event.key === 'Escape' && store.replyTo) {
        event.preventDefault();
        replyTo(null);
      }
    },
  });
  const form = el(
    'form.composer',
    {
      onsubmit: (event) => {
        event.preventDefault();
        void submit();
      },
    },
    attachMenu(),
    input,
    el(
      'button.icon-button.send',
      { type: 'submit', 'aria-label': 'Send', title: 'Send' },
      icon('send'),
    ),
  );
  requestAnimationFrame(() => {
    grow(input);
    if (store.replyTo) input.focus();
  });
  return el('div', {}, quote(), form);

  async function submit() {
    if (input.value.trim() === '') return;
    const quoted = store.replyTo;
    const sent = await sendDraft((text) =>
      write({ text, ...(quoted && { context: quoted.wamid }) }),
    );
    if (sent && quoted && store.replyTo === quoted) replyTo(null);
    document.getElementById('answer')?.focus();
  }
}

/** Sends the draft and clears the field. If it fails, the text returns before newly typed text. */
async function sendDraft(send) {
  const key = draftKey();
  const input = document.getElementById('answer');
  const text = input.value.trim();
  drafts.delete(key);
  input.value = '';
  grow(input);
  const sent = await send(text);
  if (!sent) {
    drafts.set(key, [text, drafts.get(key)].filter(Boolean).join('\n'));
    changed('reply');
  }
  return sent;
}

function quote() {
  const message = store.replyTo;
  if (!message) return null;
  return el(
    'div.composer-quote',
    {},
    icon('reply'),
    el('span', { dir: 'auto' }, plainText(message)),
    iconButton('close', 'Do not quote', () => replyTo(null)),
  );
}

function grow(input) {
  input.style.height = 'auto';
  // While the list hides it on a narrow screen, it has no height.
  if (input.scrollHeight === 0) return;
  input.style.height = `${Math.min(input.scrollHeight, 160)}px`;
}

function attachMenu() {
  const picker = el('input.unseen', {
    type: 'file',
    tabindex: '-1',
    'aria-label': 'File to send',
    onchange: () => {
      const [file] = picker.files;
      if (file) void send(file);
      picker.value = '';
    },
  });
  const menu = el('div.menu', { role: 'menu', 'aria-label': 'Send something else', hidden: true });
  const open = iconButton(
    'attach',
    'Send a photo, file, location or contact',
    () => {
      menu.hidden ? show() : hide();
    },
    { 'aria-haspopup': 'menu', 'aria-expanded': 'false', id: 'attach' },
  );
  const items = [
    ['file', 'Photo or file', () => picker.click()],
    ['photo', 'Sample photo', async () => send(await samplePhoto())],
    ['pin', 'Location', () => write(sampleLocation)],
    ['person', 'Contact', () => write(sampleContact())],
  ];
  for (const [drawing, label, act] of items) {
    const press = () => {
      hide();
      void act();
    };
    menu.append(
      el('button', { type: 'button', role: 'menuitem', onclick: press }, icon(drawing), label),
    );
  }
  menu.addEventListener('keydown', (event) => {
    const buttons = [...menu.children];
    const at = buttons.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) buttons.at((at + step) % buttons.length).focus();
    else if (event.key === 'Escape') hide(true);
    else return;
    event.preventDefault();
  });

  function show() {
    menu.hidden = false;
    open.setAttribute('aria-expanded', 'true');
    menu.firstElementChild.focus();
    document.addEventListener('pointerdown', outside);
  }
  function hide(focusButton = false) {
    menu.hidden = true;
    open.setAttribute('aria-expanded', 'false');
    document.removeEventListener('pointerdown', outside);
    if (focusButton) open.focus();
  }
  function outside(event) {
    if (!menu.contains(event.target) && !open.contains(event.target)) hide();
  }
  return el('div.attach', {}, open, menu, picker);
}

function send(file) {
  const { phone, numberId } = store;
  return sendDraft((caption) => attempt(() => sendFile(phone, numberId, file, caption)));
}
