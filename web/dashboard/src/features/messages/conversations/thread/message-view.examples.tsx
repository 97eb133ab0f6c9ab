import { Message } from '../../../../../../message/message.tsx';
import type { MessageData } from '../../../../api/records.ts';
import { viewOf } from './message-view.ts';

const at = '2026-11-25T10:04:00.000Z';
let lastId = 0;

/** A text of the tenant as the service sends it, with what is different. */
function message(different: Partial<MessageData>) {
  const data: MessageData = {
    id: ++lastId,
    number_id: 1,
    cause: 'member',
    member: null,
    direction: 'out',
    kind: 'text',
    content: { text: 'One tin or two?' },
    status: 'sent',
    network_id: `wamid.${lastId}`,
    failure: null,
    created_at: at,
    sent_at: at,
    delivered_at: null,
    read_at: null,
    failed_at: null,
    ...different,
  };
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <Message view={viewOf(data, { mediaAddress: (id) => `/media/${id}` })} handlers={{}} />
    </div>
  );
}

export const received = message({
  direction: 'in',
  status: 'received',
  content: { text: 'Is the green tea in stock?' },
});
export const accepting = message({ status: 'accepting', sent_at: null });
export const sent = message({});
export const delivered = message({ status: 'delivered', delivered_at: at });
export const templateThatWasRead = message({
  kind: 'template',
  content: {
    template: { name: 'spring_offer', language: 'en', category: 'MARKETING' },
    header: { format: 'TEXT', text: 'Spring is here' },
    body: 'Hi Ada, the *spring collection* is here.',
    footer: 'Not interested? Tap Stop offers',
    buttons: [
      { type: 'URL', text: 'See the collection', url: 'https://shop.example/spring' },
      { type: 'QUICK_REPLY', text: 'Stop offers' },
    ],
  },
  status: 'read',
  delivered_at: at,
  read_at: at,
});
export const unknownOutcome = message({ status: 'unknown', sent_at: null });
export const failed = message({
  status: 'failed',
  failed_at: at,
  failure: {
    words: 'The phone cannot receive this message',
    words_says: null,
    details: 'No such account.',
    code: 131026,
  },
});
