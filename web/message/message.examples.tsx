import { MessagePreview } from './body/preview.tsx';
import { DayHeading } from './list/day-heading.tsx';
import { Message } from './message.tsx';
import type { MessageView } from './message-view.ts';

const handlers = {};
let lastId = 0;

function message(view: Partial<MessageView> & Pick<MessageView, 'body'>) {
  const whole: MessageView = {
    id: `example-${++lastId}`,
    at: '2026-11-25T10:04:00Z',
    isMine: false,
    actions: [],
    reactions: [],
    ...view,
  };
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <Message view={whole} handlers={handlers} />
    </div>
  );
}

export const text = message({
  body: { kind: 'text', text: 'Is *order 1043* on its way? https://shop.example/1043' },
});
export const rightToLeft = message({ body: { kind: 'text', text: 'شكرا جزيلا، وصل الطلب!' } });
export const read = message({
  isMine: true,
  body: { kind: 'text', text: 'It is, since this morning.' },
  tick: { step: 'read', words: 'Read' },
  timeline: 'Sent 25 Nov 2026, 10:04\nRead 25 Nov 2026, 10:06',
});
export const sending = message({
  isMine: true,
  body: { kind: 'text', text: 'One tin or two?' },
  tick: { step: 'sending', words: 'Sending' },
});
export const failed = message({
  isMine: true,
  body: { kind: 'text', text: 'Good bye.' },
  tick: { step: 'failed', words: 'Not sent' },
  failure: { words: 'The phone cannot receive this message', details: 'Network code 131026' },
});
export const unknownOutcome = message({
  isMine: true,
  body: { kind: 'text', text: 'Are you there?' },
  tick: { step: 'unknown', words: 'It is not known whether this was sent' },
  warning: 'Look at the phone before you send it again.',
});
export const quoteAndReactions = message({
  body: { kind: 'text', text: 'Two, please.' },
  quote: { author: 'You', text: 'One tin or two?' },
  reactions: [
    { emoji: '+', author: 'You', isMine: true },
    { emoji: '!', author: 'Ada', isMine: false },
  ],
});
export const file = message({
  body: {
    kind: 'media',
    media: { type: 'document', url: '/invoice.pdf', name: 'invoice-1043.pdf' },
    caption: 'The invoice',
  },
});
export const missingImage = message({
  body: { kind: 'media', media: { type: 'image', missing: 'The file is not there any more.' } },
});
export const place = message({
  body: {
    kind: 'place',
    place: { latitude: 52.5, longitude: 13.4, name: 'Tea shop', address: '1 Main Street' },
  },
});
export const contacts = message({
  body: { kind: 'contacts', people: [{ name: 'Zoë Lovelace', phone: '+14155550112' }] },
});
export const order = message({
  body: {
    kind: 'order',
    items: [
      { name: 'Green tea', quantity: 2, price: '€24.00' },
      { name: 'Teapot', quantity: 1, price: '€30.00' },
    ],
    total: '€54.00',
    text: '',
  },
});
export const card = message({
  isMine: true,
  body: {
    kind: 'card',
    header: { title: 'Spring is here' },
    text: 'Hi Ada, the *spring collection* is here.',
    footer: 'Tap Stop for no more offers',
  },
  actions: [
    { kind: 'link', text: 'See the collection', url: 'https://shop.example/spring' },
    { kind: 'reply', text: 'Stop', key: 'stop' },
    { kind: 'copy', text: 'Copy the code', code: 'SPRING' },
    { kind: 'call', text: 'Call us', phone: '+14155550100' },
  ],
});
export const carousel = message({
  isMine: true,
  body: {
    kind: 'carousel',
    text: 'Our teas',
    cards: [
      {
        card: { kind: 'card', text: 'Green' },
        actions: [{ kind: 'reply', text: 'Buy', key: '1' }],
      },
      {
        card: { kind: 'card', text: 'Black' },
        actions: [{ kind: 'reply', text: 'Buy', key: '2' }],
      },
    ],
  },
});
export const words = message({ body: { kind: 'words', words: 'A poll' } });
export const notice = message({
  body: { kind: 'notice', words: 'The phone was off. The message did not arrive.' },
});
export const preview = (
  <MessagePreview
    body={{ kind: 'card', text: 'Hi {{1}}, your order is on its way.' }}
    actions={[{ kind: 'reply', text: 'Thanks', key: 'thanks' }]}
  />
);
export const day = <DayHeading day="Yesterday" />;
