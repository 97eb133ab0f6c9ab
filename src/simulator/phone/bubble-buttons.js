import { el, icon, toast } from './dom.js';
import { outsideLink } from './rich-text.js';
import { write } from './write.js';

/** The buttons under a template or an interactive message. */
export function buttonsOf(message) {
  const buttons =
    message.direction === 'inbound'
      ? []
      : [...templateButtons(message), ...interactiveButtons(message)];
  return buttons.length > 0 ? el('div.bubble-buttons', {}, buttons) : null;
}

function templateButtons(message) {
  return (message.rendered?.buttons ?? []).map((button) => {
    if (button.type === 'URL') return outsideLink(button.url, icon('link'), button.text);
    if (button.type === 'COPY_CODE') return copyButton(button);
    if (button.type === 'QUICK_REPLY') {
      return tapButton('reply', button.text, {
        type: 'button',
        button: { payload: button.payload, text: button.text },
        context: message.wamid,
      });
    }
    return el(
      'button',
      { type: 'button', onclick: () => toast('This button would leave the chat.') },
      button.text,
    );
  });
}

function interactiveButtons(message) {
  const interactive = message.payload.interactive;
  if (message.type !== 'interactive' || !interactive) return [];
  if (interactive.type === 'cta_url') {
    const { url, display_text: text } = interactive.action.parameters;
    return [outsideLink(url, icon('link'), text)];
  }
  const replies = (interactive.action.buttons ?? []).map(({ reply }) =>
    tapButton('reply', reply.title, replyWith(message, 'button_reply', reply)),
  );
  const rows = (interactive.action.sections ?? []).flatMap((section) => section.rows ?? []);
  const choices = rows.map((row) =>
    tapButton('list', row.title, replyWith(message, 'list_reply', row)),
  );
  return [...replies, ...choices];
}

function replyWith(message, kind, { id, title, description }) {
  const reply = { id, title, ...(description && { description }) };
  return {
    type: 'interactive',
    interactive: { type: kind, [kind]: reply },
    context: message.wamid,
  };
}

function tapButton(drawing, text, reply) {
  return el(
    'button',
    { type: 'button', dir: 'auto', onclick: () => write(reply) },
    icon(drawing),
    text,
  );
}

/** Reports its result in a toast, because the bubble and its buttons are rendered again on a status change. */
function copyButton(button) {
  return el(
    'button',
    {
      type: 'button',
      'aria-label': `${button.text}: ${button.code}`,
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(button.code);
          toast('Copied');
        } catch {
          toast(`The code is ${button.code}`);
        }
      },
    },
    icon('copy'),
    el('span', {}, button.text),
  );
}
