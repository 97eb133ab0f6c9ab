import { splitMarks } from './split-marks.js';

const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'long' });
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' });
const shortDate = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

export function clock(at) {
  return time.format(at);
}

export function dayOrTime(at) {
  return daysAgo(at) === 0 ? time.format(at) : shortDate.format(at);
}

export function dayName(at) {
  const days = daysAgo(at);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return days < 7 ? weekday.format(at) : date.format(at);
}

function daysAgo(at) {
  const midnight = (when) => new Date(when).setHours(0, 0, 0, 0);
  return Math.round((midnight(Date.now()) - midnight(at)) / 86_400_000);
}

function withoutMarks(text) {
  return splitMarks(text)
    .map((piece) => piece.text)
    .join('');
}

const kinds = {
  image: 'Photo',
  video: 'Video',
  audio: 'Voice message',
  document: 'Document',
  sticker: 'Sticker',
  location: 'Location',
  contacts: 'Contact',
  order: 'Order',
  system: 'Notice',
  unsupported: 'Unsupported message',
};

/** Summarizes a message in one line, for the list of chats and for quotes. */
export function plainText(message) {
  const { payload, type, rendered } = message;
  if (rendered) return withoutMarks(rendered.body);
  const content = payload[type] ?? {};
  const text = {
    text: content.body,
    button: content.text,
    interactive:
      content.body?.text ??
      (content.button_reply ?? content.list_reply)?.title ??
      content.nfm_reply?.body,
    document: content.filename,
  }[type];
  if (text) return withoutMarks(String(text));
  return content.caption || kinds[type] || type;
}
