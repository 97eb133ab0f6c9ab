import { attempt, avatar, el, icon } from './dom.js';
import { call } from './network.js';
import { choosePhone, store } from './store.js';

const rail = document.getElementById('rail');

/** Renders the phones and the button to add one. */
export function showRail() {
  const focused = rail.contains(document.activeElement) ? document.activeElement.id : null;
  rail.replaceChildren(
    el('ul.rail-list', {}, [...store.phones.values()].map(railItem)),
    el(
      'button.rail-add',
      {
        type: 'button',
        id: 'add-phone',
        title: 'Add a phone',
        'aria-label': 'Add a phone',
        onclick: addPhone,
      },
      icon('add'),
    ),
  );
  if (focused) document.getElementById(focused)?.focus();
}

function railItem(phone) {
  const current = phone.phone === store.phone;
  const state = [
    phone.on ? null : 'switched off',
    phone.unread > 0 ? `${phone.unread} unread` : null,
  ].filter(Boolean);
  const label = [phone.name, state.length > 0 && state.join(', ')].filter(Boolean).join(', ');
  return el(
    'li',
    {},
    el(
      'button.rail-phone',
      {
        type: 'button',
        id: `phone-${phone.phone}`,
        title: `${phone.name} (+${phone.phone})`,
        'aria-current': current ? 'true' : undefined,
        data: { off: phone.on ? 'no' : 'yes' },
        onclick: () => attempt(() => choosePhone(phone.phone)),
      },
      avatar(phone.name, phone.phone),
      el('span.unseen', {}, label),
      phone.unread > 0 && !current
        ? el(
            'span.badge',
            { 'aria-hidden': 'true' },
            phone.unread > 99 ? '99+' : String(phone.unread),
          )
        : null,
      phone.on ? null : el('span.off-mark', { 'aria-hidden': 'true' }, icon('power')),
    ),
  );
}

export function addPhone() {
  const name = el('input', {
    id: 'new-name',
    autocomplete: 'off',
    maxlength: '60',
    placeholder: 'Amina Khan',
  });
  const number = el('input', {
    id: 'new-number',
    type: 'tel',
    autocomplete: 'off',
    required: true,
    placeholder: '+49 151 23456789',
    'aria-describedby': 'new-number-help',
  });
  const problem = el('p.problem', { role: 'alert' });
  const dialog = el(
    'dialog.dialog',
    { 'aria-labelledby': 'new-title', onclose: () => dialog.remove() },
    el(
      'form',
      { onsubmit: submit },
      el('h2', { id: 'new-title' }, 'Add a phone'),
      el('label', { for: 'new-name' }, 'Whose phone is it?'),
      name,
      el('label', { for: 'new-number' }, 'Phone number'),
      number,
      el(
        'p.help',
        { id: 'new-number-help' },
        'With its country code. Any number works: nothing leaves this machine.',
      ),
      problem,
      el(
        'div.dialog-actions',
        {},
        el('button.button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'),
        el('button.button.primary', { type: 'submit' }, 'Add phone'),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  name.focus();

  async function submit(event) {
    event.preventDefault();
    try {
      const phone = await call('POST', '/simulator/phones', {
        phone: number.value,
        name: name.value,
      });
      store.phones.set(phone.phone, { unread: 0, ...phone });
      dialog.close();
      await choosePhone(phone.phone);
    } catch (error) {
      problem.textContent = error.message;
      number.focus();
    }
  }
}
