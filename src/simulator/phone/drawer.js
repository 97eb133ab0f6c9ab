import { attempt, el, iconButton, toast } from './dom.js';
import { call } from './network.js';
import { store } from './store.js';

const drawer = document.getElementById('drawer');

const failures = [
  ['', 'Accept every message'],
  ['131026', '131026 · not on the network (later)'],
  ['131047', '131047 · 24-hour window closed (later)'],
  ['131049', '131049 · too much marketing (later)'],
  ['131050', '131050 · opted out (later)'],
  ['131053', '131053 · media could not be fetched (later)'],
  ['131056', '131056 · rate limit of this phone'],
  ['130429', '130429 · rate limit of the number'],
  ['131031', '131031 · account locked'],
  ['131000', '131000 · something went wrong'],
  ['131016', '131016 · service unavailable'],
  ['131057', '131057 · maintenance'],
  ['133010', '133010 · number not registered'],
];
const responses = [
  ['', 'Normal'],
  ['status:401', 'HTTP 401, token rejected'],
  ['status:429', 'HTTP 429, too many requests'],
  ['status:500', 'HTTP 500'],
  ['status:503', 'HTTP 503'],
  ['answer:garbage', 'Accepted, HTML response'],
  ['answer:half', 'Accepted, truncated response'],
  ['answer:never', 'Accepted, no response'],
  ['answer:drop-after-accept', 'Accepted, connection dropped'],
  ['answer:drop', 'Not accepted, connection dropped'],
];

/** Opens the settings for messages to the selected phone. */
export async function openDrawer() {
  const { behaviours } = await call('GET', '/simulator/behaviour');
  const rule = behaviours.find((one) => one.phone === store.phone && !one.phone_number_id) ?? {};
  const name = store.phones.get(store.phone)?.name ?? '';
  const form = el(
    'form.drawer-form',
    {
      onsubmit: (event) => {
        event.preventDefault();
        void attempt(() => apply(new FormData(form)));
      },
    },
    el(
      'fieldset',
      {},
      el('legend', {}, 'Sending'),
      choice('failWith', 'Messages to this phone', failures, String(rule.failWith ?? '')),
      choice('outcome', 'Response of the network', responses, outcomeOf(rule)),
      amount('delayMs', 'Response delay (ms)', rule.delayMs),
      amount('count', 'Only for the next messages', rule.count, 'all'),
    ),
    el(
      'fieldset',
      {},
      el('legend', {}, 'Callbacks'),
      amount('callbackDelayMs', 'Callback delay (ms)', rule.callbackDelayMs),
      amount('stepMs', 'From sent to delivered (ms)', rule.stepMs, '150'),
      amount('duplicate', 'Repeats of each callback', rule.duplicate),
      toggle('disorder', 'Out of order', rule.disorder),
      toggle('skipDelivered', 'Skip “delivered”', rule.skipDelivered),
      toggle('autoRead', 'Read immediately', rule.autoRead),
      toggle('silent', 'No callbacks', rule.callbacks === false),
    ),
    el(
      'fieldset',
      {},
      el('legend', {}, 'This page'),
      toggle('readsOnOpen', 'Reading a chat sends “read”', store.readsOnOpen),
    ),
    el(
      'div.drawer-actions',
      {},
      el('button.button', { type: 'button', onclick: () => attempt(reset) }, 'Back to normal'),
      el('button.button.primary', { type: 'submit' }, 'Apply'),
    ),
  );
  drawer.replaceChildren(
    el(
      'header.drawer-header',
      {},
      el('div', {}, el('h2', {}, 'Behaviour'), el('p', { dir: 'auto' }, `For messages to ${name}`)),
      iconButton('close', 'Close', closeDrawer),
    ),
    form,
  );
  drawer.hidden = false;
  form.querySelector('select').focus();
}

/** Closes the drawer and returns whether it was open. */
export function closeDrawer() {
  if (drawer.hidden) return false;
  drawer.hidden = true;
  document.getElementById('open-drawer')?.focus();
  return true;
}

async function apply(form) {
  const number = (name) => (form.get(name) === '' ? undefined : Number(form.get(name)));
  const on = (name) => (form.get(name) === 'on' ? true : undefined);
  store.readsOnOpen = form.get('readsOnOpen') === 'on';
  localStorage.setItem('reads-on-open', store.readsOnOpen ? 'yes' : 'no');
  const [kind, value] = String(form.get('outcome')).split(':');
  const knobs = {
    failWith: number('failWith'),
    ...(kind === 'status' && { status: Number(value) }),
    ...(kind === 'answer' && { answer: value }),
    delayMs: number('delayMs'),
    callbackDelayMs: number('callbackDelayMs'),
    stepMs: number('stepMs'),
    duplicate: number('duplicate'),
    disorder: on('disorder'),
    skipDelivered: on('skipDelivered'),
    autoRead: on('autoRead'),
    callbacks: form.get('silent') === 'on' ? false : undefined,
  };
  await call('DELETE', `/simulator/behaviour?phone=${store.phone}`);
  const hasKnobs = Object.values(knobs).some((knob) => knob !== undefined);
  if (hasKnobs) {
    await call('POST', '/simulator/behaviour', {
      phone: store.phone,
      count: number('count'),
      ...knobs,
    });
  }
  toast(hasKnobs ? 'The network now behaves like this.' : 'The network behaves normally.');
  closeDrawer();
}

async function reset() {
  await call('DELETE', `/simulator/behaviour?phone=${store.phone}`);
  toast('The network behaves normally.');
  closeDrawer();
}

function outcomeOf(rule) {
  if (rule.status) return `status:${rule.status}`;
  return rule.answer ? `answer:${rule.answer}` : '';
}

function choice(name, label, options, chosen) {
  const select = el(
    'select',
    { id: `knob-${name}`, name },
    options.map(([value, text]) => el('option', { value, selected: value === chosen }, text)),
  );
  select.value = chosen;
  return el('div.knob.wide', {}, el('label', { for: `knob-${name}` }, label), select);
}

function amount(name, label, value, placeholder = '0') {
  return el(
    'div.knob',
    {},
    el('label', { for: `knob-${name}` }, label),
    el('input', {
      id: `knob-${name}`,
      name,
      type: 'number',
      min: name === 'count' ? '1' : '0',
      placeholder,
      value: value ?? '',
    }),
  );
}

function toggle(name, label, on) {
  return el(
    'div.knob',
    {},
    el('label', { for: `knob-${name}` }, label),
    el('input.switch', {
      id: `knob-${name}`,
      name,
      type: 'checkbox',
      role: 'switch',
      checked: on === true,
    }),
  );
}
