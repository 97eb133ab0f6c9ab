import { countryOf } from '../../country-of.ts';
import type { MediaStore } from '../../media.ts';
import type { ChatMessage, JsonObject, SimulatedNumber, StatusError } from '../../types.ts';
import { statusError } from '../graph-errors.ts';

/** The types of the files of each kind. The network sends a file of any type as a document. */
const typesOf: Record<string, string[]> = {
  image: ['image/jpeg', 'image/png'],
  sticker: ['image/webp'],
  video: ['video/mp4', 'video/3gpp'],
  audio: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
};

/** Finds the error with which a marketing template fails at a phone of the United States, if the number has this limit. */
export function usMarketingError(
  { limits }: SimulatedNumber,
  category: string | undefined,
  phone: string,
): StatusError | undefined {
  if (!limits.us_marketing || !category?.startsWith('MARKETING')) return undefined;
  const isUs = /^1\d{10}$/.test(phone) && countryOf(phone) === 'US';
  return isUs ? statusError(131049) : undefined;
}

/**
 * Finds the error with which the network later fails to process the file of an accepted message: its type does not
 * belong to the kind, or, with the limit for links, its address is not public. No address is called.
 */
export function mediaError(
  { limits }: SimulatedNumber,
  media: MediaStore,
  message: ChatMessage,
): StatusError | undefined {
  const { kind, id, link } = fileOf(message);
  const allowed = typesOf[kind];
  const stored = id === undefined ? undefined : media.get(String(id));
  if (allowed && stored && !allowed.includes(stored.mime_type)) {
    const details = `Unsupported ${kind} mime type ${stored.mime_type}. Please use one of ${allowed.join(', ')}.`;
    return statusError(131053, details);
  }
  if (limits.public_links && typeof link === 'string' && isPrivate(new URL(link).hostname)) {
    return statusError(
      131053,
      'Downloading media from weblink failed: the host cannot be reached.',
    );
  }
  return undefined;
}

const reactionMs = 30 * 24 * 60 * 60 * 1000;

/** Finds the error with which an accepted reaction fails: the chat has no recent message to which one can react. */
export function reactionError(
  messages: ReadonlyMap<string, ChatMessage>,
  { phone_number_id }: SimulatedNumber,
  phone: string,
  { reaction }: JsonObject,
): StatusError | undefined {
  const { message_id, emoji } = reaction as { message_id: string; emoji: string };
  const target = messages.get(message_id);
  const isInChat = target?.phone_number_id === phone_number_id && target.phone === phone;
  const isRecent = isInChat && target.type !== 'reaction' && Date.now() - target.at < reactionMs;
  // An empty one takes the earlier one back.
  const isEmoji =
    emoji === '' || /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(emoji);
  return isRecent && isEmoji ? undefined : statusError(131009);
}

/** Finds the file of a message, or of the header of a template or an interactive message. */
function fileOf({ type, payload, rendered }: ChatMessage): {
  kind: string;
  id?: unknown;
  link?: unknown;
} {
  if (rendered?.header) return { ...rendered.header, kind: rendered.header.format.toLowerCase() };
  if (type !== 'interactive') return { ...(payload[type] as object), kind: type };
  const { header } = payload.interactive as { header?: JsonObject };
  const kind = String(header?.type);
  return { ...(header?.[kind] as object), kind };
}

function isPrivate(host: string): boolean {
  return (
    /^(localhost$|\[|0\.|10\.|127\.|169\.254\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(host) ||
    /\.(local|localhost|internal|invalid|test)$/.test(host)
  );
}
