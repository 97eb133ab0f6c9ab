import type {
  MediaType,
  MediaView,
  MessageBody,
  PlaceView,
} from '../../../../../../message/message-view.ts';
import { field, list, record, text } from '../../../../../../message/read-json.ts';
import { readOrder } from '../../../../../../message/read-order.ts';
import { conversations as t } from '../../../../../../texts/conversations.ts';
import { textOr } from '../../../../../../texts/translator.ts';
import type { MessageData } from '../../../../api/records.ts';
import { cardOf } from '../../../templates/template-card.ts';

const mediaTypes: readonly string[] = ['image', 'video', 'audio', 'document', 'sticker'];

/** Reads the stored content of a message of any kind. */
export function bodyOf({ kind, content }: MessageData, mediaUrl: string): MessageBody {
  if (kind === 'template') {
    return cardOf(content, { url: mediaUrl, missing: t('sentFileGone') });
  }
  if (mediaTypes.includes(kind) && (content.media_id || content.media_url)) {
    const media = mediaOf(kind as MediaType, content, mediaUrl);
    return { kind: 'media', media, caption: content.text ?? content.caption };
  }
  const own = field(content, kind);
  if (kind === 'location') return { kind: 'place', place: placeOf(own) };
  if (kind === 'contacts') return { kind: 'contacts', people: list(own).map(personOf) };
  if (kind === 'order' && list(field(own, 'product_items')).length > 0) return readOrder(own);
  const answers = kind === 'interactive' ? answersOf(own) : '';
  if (answers) return { kind: 'text', text: answers };
  if (content.text) return { kind: 'text', text: content.text };
  const edited = kind === 'edit' ? editedText(content) : '';
  if (edited) return { kind: 'text', text: edited };
  const emoji = kind === 'reaction' ? text(field(own, 'emoji')) : '';
  const name = textOr(t, `kinds.${kind}`, kind);
  return { kind: 'words', words: emoji ? t('reactionWith', { emoji }) : name };
}

/** The body of a message with the text or caption that its author put in place of the first one. */
export function editedBody(body: MessageBody, { content }: MessageData): MessageBody {
  const edited = editedText(content);
  if (!edited) return body;
  return body.kind === 'media' ? { ...body, caption: edited } : { kind: 'text', text: edited };
}

function editedText(content: MessageData['content']): string {
  const message = field(field(content, 'edit'), 'message');
  const own = field(message, text(field(message, 'type')));
  return text(field(own, 'body')) || text(field(own, 'caption'));
}

function mediaOf(
  type: MediaType,
  { filename, media_url: original, voice: isVoice }: MessageData['content'],
  url: string,
): MediaView {
  const name = filename || (type === 'document' ? nameIn(original) : '');
  const missing = original ? t('sentFileGone') : t('fileGone');
  return { type, url, name, original, missing, isVoice };
}

/** Returns the last part of an address. The service names a file without a name like this too. */
function nameIn(address = ''): string {
  try {
    return decodeURIComponent(new URL(address).pathname.split('/').at(-1) ?? '');
  } catch {
    return '';
  }
}

function placeOf(own: unknown): PlaceView {
  const [latitude, longitude] = ['latitude', 'longitude'].map((axis) =>
    Number.parseFloat(text(field(own, axis))),
  );
  const isPoint = Number.isFinite(latitude) && Number.isFinite(longitude);
  return {
    ...(isPoint && { latitude, longitude }),
    name: text(field(own, 'name')),
    address: text(field(own, 'address')),
  };
}

function personOf(person: unknown) {
  return {
    name: text(field(field(person, 'name'), 'formatted_name')),
    phone: text(field(list(field(person, 'phones'))[0], 'phone')),
  };
}

/** The answers of a filled form, one in a line. */
function answersOf(own: unknown): string {
  let answers: unknown;
  try {
    answers = JSON.parse(text(field(field(own, 'nfm_reply'), 'response_json')));
  } catch {}
  return Object.entries(record(answers))
    .filter(([name, value]) => name !== 'flow_token' && value !== null && value !== '')
    .map(([name, value]) => t('formAnswer', { name, value: wordsOf(value) }))
    .join('\n');
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
