import { type Json, parseObject, record, string } from '../../whatsapp/json.ts';
import type { RecordRow } from './listing/find-records.ts';

/** The columns that `presentContent` needs. */
type Message = Pick<RecordRow, 'id' | 'slug' | 'kind' | 'direction' | 'cause' | 'content'>;

const fileKinds = ['image', 'video', 'audio', 'document', 'sticker'];

/**
 * Presents the content of a message. A field is there if the message has it: `text`, `caption`, `media`, `button`,
 * `list`, `form`, `template`, `order`, `location`, `contacts`, `reaction`, `referral` and so on. Types that Parley
 * does not read are under the network's names. One-time passwords were masked before the content was stored.
 */
export function presentContent(message: Message): Json {
  const { kind, content } = message;
  const { reply_to: _, payload: __, ...stored } = content;
  if (fileKinds.includes(kind)) return fileContent(message, stored);
  switch (kind) {
    case 'button':
      return { ...stored, button: { id: content.payload ?? '', title: content.text ?? '' } };
    case 'interactive':
      return interactiveContent(stored);
    case 'template':
      return templateContent(message, stored);
    default:
      return stored;
  }
}

/** The caption of a received file is stored as its text. */
function fileContent(message: Message, stored: Json): Json {
  const {
    text,
    caption = text,
    media_id,
    media_url,
    mime_type,
    filename,
    voice,
    bytes,
    ...rest
  } = stored;
  const file = { mime_type, filename, voice, size: bytes };
  const known = Object.entries(file).filter(([, value]) => value !== undefined && value !== null);
  return {
    ...(caption !== undefined && { caption }),
    media: { ...linkOf(message), ...(string(media_url) && { url: media_url }), ...asObject(known) },
    ...rest,
  };
}

/** The network's reply to a button, a list or a form. Other kinds, such as what a number sent in its app, stay. */
function interactiveContent({ interactive, ...stored }: Json): Json {
  const own = record(interactive);
  const button = record(own?.button_reply);
  if (button) return { ...stored, button: { id: button.id ?? '', title: button.title ?? '' } };
  const choice = record(own?.list_reply);
  if (choice) {
    const { id = '', title = '', description } = choice;
    return { ...stored, list: { id, title, ...(description !== undefined && { description }) } };
  }
  const form = record(own?.nfm_reply);
  if (form) {
    const answer = parseObject(string(form.response_json) ?? '') ?? form.response_json ?? null;
    return { ...stored, form: { name: form.name ?? null, answer } };
  }
  return interactive === undefined ? stored : { ...stored, interactive };
}

function templateContent(message: Message, stored: Json): Json {
  const header = record(stored.header);
  if (!header?.media_url && !header?.media_id) return stored;
  const { media_url: url, media_id: _, filename, ...rest } = header;
  return {
    ...stored,
    header: {
      ...rest,
      media: {
        ...linkOf(message),
        ...(url !== undefined && { url }),
        ...(filename !== undefined && { filename }),
      },
    },
  };
}

/** The file of a message, by which the API opens it: a link for a token. */
function linkOf({ id, slug }: Message): { id: string; link: string } {
  const mediaId = `message-${id}`;
  return { id: mediaId, link: `/api/${slug}/media/${mediaId}` };
}

function asObject(entries: [string, unknown][]): Json {
  return Object.fromEntries(entries);
}
