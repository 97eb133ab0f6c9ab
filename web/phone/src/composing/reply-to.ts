import type { ChatMessage } from '../../../../src/simulator/types.ts';
import { list, record, text } from '../../../message/read-json.ts';
import type { NewMessage } from '../network.ts';
import { sampleLocation, sampleOrder } from './samples.ts';

/**
 * The form that a button of a message opens.
 *
 * @returns what the business named this use of it, or the network did; undefined if the button opens none
 */
export function formTokenOf(message: ChatMessage, key: string): string | undefined {
  const [kind, ...path] = key.split(':');
  if (kind !== 'form') return undefined;
  const button = buttonAt(message, path.map(Number));
  const { parameters } = record(record(message.payload.interactive).action);
  return button?.flow_token || text(record(parameters).flow_token) || 'unused';
}

/** The message that a phone sends when its owner has filled in the form of a message. */
export function formReply({ wamid }: ChatMessage, answers: string): NewMessage {
  const reply = { name: 'flow', body: 'Sent', response_json: answers };
  return {
    type: 'interactive',
    interactive: { type: 'nfm_reply', nfm_reply: reply },
    context: wamid,
  };
}

/** The message that a phone sends when its owner presses a button or chooses a row of a message. */
export function replyTo(message: ChatMessage, key: string): NewMessage {
  const context = message.wamid;
  const [kind, ...at] = key.split(':');
  if (kind === 'location') return { ...sampleLocation, context };
  if (kind === 'order') return { ...sampleOrder, context };
  if (kind === 'contact') return { ...ownPhone(message.phone), context };
  const path = at.map(Number);
  const [first = 0, second = 0] = path;
  const button = buttonAt(message, path);
  if (button) {
    const { payload, text: title } = button;
    return { type: 'button', button: { payload, text: title }, context };
  }
  const action = record(record(message.payload.interactive).action);
  if (kind === 'button') {
    const { reply } = record(list(action.buttons)[first]);
    return interactive('button_reply', reply, context);
  }
  const { rows } = record(list(action.sections)[first]);
  return interactive('list_reply', list(rows)[second], context);
}

/** Finds the button of a template, or of a card of its carousel. */
function buttonAt({ rendered }: ChatMessage, path: number[]) {
  const [first = 0, second] = path;
  if (second === undefined) return rendered?.buttons[first];
  return rendered?.cards?.[first]?.buttons[second];
}

/** The network vouches for this phone, so it comes without a card and a name. */
function ownPhone(phone: string): NewMessage {
  const phones = [{ phone: `+${phone}`, wa_id: phone, type: 'CELL' }];
  return { type: 'contacts', contacts: [{ origin: 'contact_request', phones }] };
}

function interactive(type: string, chosen: unknown, context: string): NewMessage {
  const { id, title, description } = record(chosen);
  const reply = { id, title, ...(text(description) && { description }) };
  return { type: 'interactive', interactive: { type, [type]: reply }, context };
}
