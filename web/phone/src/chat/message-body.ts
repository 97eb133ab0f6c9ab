import type {
  ChatMessage,
  RenderedCard,
  RenderedTemplate,
} from '../../../../src/simulator/types.ts';
import type {
  CardBody,
  MediaType,
  MediaView,
  MessageAction,
  MessageBody,
  PlaceView,
} from '../../../message/message-view.ts';
import { list, record, text } from '../../../message/read-json.ts';
import { readOrder } from '../../../message/read-order.ts';
import { formatDateTime } from '../../../texts/format.ts';
import { phone as t } from '../../../texts/phone.ts';
import { textOr } from '../../../texts/translator.ts';

/** Reads the content of a message of any type. Throws if it cannot be shown. */
export function bodyOf({ type, payload, rendered, direction }: ChatMessage): MessageBody {
  if (rendered) return templateBody(rendered);
  const content = record(payload[type]);
  switch (type) {
    case 'text':
      return { kind: 'text', text: text(content.body) };
    case 'button':
      return { kind: 'text', text: text(content.text) };
    case 'interactive':
      return direction === 'inbound' ? replyBody(content) : interactiveBody(content);
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return { kind: 'media', media: mediaOf(type, content), caption: text(content.caption) };
    case 'location':
      return { kind: 'place', place: placeOf(content) };
    case 'contacts':
      return { kind: 'contacts', people: list(payload.contacts).map(personOf) };
    case 'order':
      return readOrder(content);
    default:
      return { kind: 'words', words: textOr(t, `kinds.${type}`, t('ofType', { type })) };
  }
}

function templateBody({ footer, offer, cards, ...template }: RenderedTemplate): MessageBody {
  const ends =
    offer?.ends_at === undefined ? '' : formatDateTime(new Date(offer.ends_at).toISOString());
  const first = ends ? t('offerEnds', { offer: offer!.text, time: ends }) : offer?.text;
  const text = [first && `*${first}*`, template.body].filter(Boolean).join('\n\n');
  if (!cards) return { ...cardBody(template), text, footer };
  return {
    kind: 'carousel',
    text,
    cards: cards.map((card, at) => ({
      card: cardBody(card),
      actions: card.buttons.map((button, index) => templateAction(button, `${at}:${index}`)),
    })),
  };
}

function cardBody({ header, body }: RenderedCard): CardBody {
  return {
    kind: 'card',
    header: header && headerOf(header.format, { ...header, name: header.text }),
    text: body,
  };
}

/** The reply of a person to buttons, a list or a form. */
function replyBody(content: Record<string, unknown>): MessageBody {
  const reply = record(content.button_reply ?? content.list_reply);
  const title = text(reply.title) || text(record(content.nfm_reply).body);
  return { kind: 'card', text: title, footer: text(reply.description) };
}

function interactiveBody(content: Record<string, unknown>): MessageBody {
  if (content.type !== 'carousel') return interactiveCard(content);
  const cards = list(record(content.action).cards).map(record);
  return {
    kind: 'carousel',
    text: text(record(content.body).text),
    cards: cards.map((card) => ({ card: interactiveCard(card), actions: [linkOf(card.action)] })),
  };
}

function interactiveCard({ header, body, footer }: Record<string, unknown>): CardBody {
  const { type, ...content } = record(header);
  return {
    kind: 'card',
    header: type ? headerOf(text(type), { ...content, ...record(content[text(type)]) }) : undefined,
    text: text(record(body).text),
    footer: text(record(footer).text),
  };
}

function headerOf(format: string, content: Record<string, unknown>): CardBody['header'] {
  const type = format.toLowerCase();
  if (type === 'text') return { title: text(content.text) };
  if (type === 'location') return { place: placeOf(content) };
  return { media: mediaOf(type as MediaType, content) };
}

function mediaOf(type: MediaType, content: Record<string, unknown>): MediaView {
  const { link, id, filename, voice } = content;
  const url = text(link) || (id ? `/simulator/media/${encodeURIComponent(text(id))}` : '');
  if (!url) throw new Error('The message has no file');
  const name = text(filename) || (type === 'document' ? url.split('/').pop() : undefined);
  return { type, url, name, isVoice: voice === true };
}

function placeOf({ latitude, longitude, name, address }: Record<string, unknown>): PlaceView {
  const point = { latitude: Number(latitude), longitude: Number(longitude) };
  const isPoint = Number.isFinite(point.latitude) && Number.isFinite(point.longitude);
  return { ...(isPoint && point), name: text(name), address: text(address) };
}

function personOf(value: unknown): { name: string; phone?: string } {
  if (value === null) throw new Error('The contact is missing');
  const { name, phones } = record(value);
  return { name: text(record(name).formatted_name), phone: text(record(list(phones)[0]).phone) };
}

/** The buttons of a message of the business. The keys are those of `replyTo`. */
export function actionsOf({ type, payload, rendered }: ChatMessage): MessageAction[] {
  if (rendered) {
    return rendered.buttons.map((button, index) => templateAction(button, String(index)));
  }
  if (type !== 'interactive') return [];
  const interactive = record(payload.interactive);
  const action = record(interactive.action);
  const parameters = record(action.parameters);
  switch (interactive.type) {
    case 'button':
      return list(action.buttons).map((button, index) => {
        const { title } = record(record(button).reply);
        return { kind: 'reply', text: text(title), key: `button:${index}` };
      });
    case 'list':
      return [listAction(action)];
    case 'cta_url':
      return [linkOf(action)];
    case 'location_request_message':
      return [{ kind: 'reply', text: t('sendLocation'), key: 'location' }];
    case 'request_contact_info':
      return [{ kind: 'reply', text: t('sharePhone'), key: 'contact' }];
    case 'flow':
      return [{ kind: 'reply', text: text(parameters.flow_cta), key: 'form' }];
    default:
      return [];
  }
}

function linkOf(action: unknown): MessageAction {
  const { display_text, url } = record(record(action).parameters);
  return { kind: 'link', text: text(display_text), url: text(url) };
}

/** @param path the index of the button, after that of its card if it has one */
function templateAction(button: RenderedCard['buttons'][number], path: string): MessageAction {
  const { type, text: title, url = '', code } = button;
  if (type === 'URL') return { kind: 'link', text: title, url };
  if (type === 'COPY_CODE') return { kind: 'copy', text: title, code };
  if (type === 'QUICK_REPLY') return { kind: 'reply', text: title, key: `button:${path}` };
  if (type === 'REQUEST_CONTACT_INFO') return { kind: 'reply', text: title, key: 'contact' };
  if (type === 'FLOW') return { kind: 'reply', text: title, key: `form:${path}` };
  if (type === 'CATALOG') return { kind: 'reply', text: title, key: 'order' };
  return type === 'PHONE_NUMBER' || type === 'VOICE_CALL'
    ? { kind: 'call', text: title }
    : { kind: 'leave', text: title };
}

function listAction(action: Record<string, unknown>): MessageAction {
  return {
    kind: 'list',
    text: text(action.button),
    sections: list(action.sections)
      .map(record)
      .map((section, at) => ({
        title: text(section.title),
        rows: list(section.rows)
          .map(record)
          .map((row, index) => ({
            key: `row:${at}:${index}`,
            title: text(row.title),
            description: text(row.description),
          })),
      })),
  };
}
