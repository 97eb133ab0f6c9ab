import type { JsonObject } from '../../types.ts';
import { GraphError } from '../graph-errors.ts';
import { object, string } from '../params.ts';
import { checkMediaSource, type HasMedia } from './check-media-source.ts';
import { validateInteractive } from './validate-interactive.ts';

const types =
  'AUDIO, CONTACTS, DOCUMENT, GIF, IMAGE, INTERACTIVE, LINK_PREVIEW, LOCATION, PIN, REACTION, STICKER, TEMPLATE, TEXT, VIDEO';

const mediaKeys: Record<string, string[]> = {
  image: ['id', 'link', 'caption', 'provider'],
  video: ['id', 'link', 'caption', 'provider'],
  document: ['id', 'link', 'caption', 'filename', 'provider'],
  audio: ['id', 'link', 'provider', 'voice'],
  sticker: ['id', 'link', 'provider'],
};

/**
 * Validates a message body as the network does, apart from templates, and returns its type.
 *
 * @throws GraphError
 */
export function validateMessage(body: JsonObject, hasMedia: HasMedia): string {
  const type = body.type === undefined ? 'text' : body.type;
  if (typeof type !== 'string' || !types.split(', ').includes(type.toUpperCase())) {
    throw GraphError.parameter(`Param type must be one of {${types}} - got "${String(type)}".`);
  }
  oneOf(body.recipient_type ?? 'individual', 'recipient_type', ['individual', 'group']);
  checkContext(body);
  const content = object(body, type, type);
  const keys = mediaKeys[type];
  if (keys) checkMedia(content, type, keys, hasMedia);
  else if (type === 'text') checkText(content);
  else if (type === 'location') checkLocation(content);
  else if (type === 'reaction') checkReaction(content);
  else if (type === 'contacts') checkContacts(content);
  else if (type === 'interactive') validateInteractive(content, hasMedia);
  else if (type !== 'template') throw GraphError.of(131051, 'Message type is not supported.');
  return type;
}

/** Validates what sends and marks as read have in common: the body is an object with the product. */
export function validateProduct(body: unknown): asserts body is JsonObject {
  const product = (body as JsonObject | null)?.messaging_product;
  if (product === undefined) {
    throw GraphError.parameter('The parameter messaging_product is required.');
  }
  oneOf(product, 'messaging_product', ['whatsapp']);
}

function checkContext(body: JsonObject): void {
  if (body.context !== undefined) {
    const context = object(body, 'context', 'context');
    string(context, 'message_id', "context['message_id']", 1, 1024);
  }
  if (body.biz_opaque_callback_data !== undefined) {
    string(body, 'biz_opaque_callback_data', 'biz_opaque_callback_data', 0, 512);
  }
}

function checkText(text: JsonObject): void {
  onlyKeys(text, 'text', ['body', 'preview_url']);
  string(text, 'body', "text['body']", 1, 4096);
  if (text.preview_url !== undefined && !/^(true|false)$/.test(String(text.preview_url))) {
    throw GraphError.parameter("Param text['preview_url'] must be a boolean.");
  }
}

function checkMedia(media: JsonObject, type: string, keys: string[], hasMedia: HasMedia): void {
  onlyKeys(media, type, keys);
  checkMediaSource(media, type, hasMedia);
  if (media.caption !== undefined) string(media, 'caption', `${type}['caption']`, 0, 1024);
  if (media.filename !== undefined) string(media, 'filename', `${type}['filename']`, 0, 240);
}

function checkLocation(location: JsonObject): void {
  for (const [axis, limit] of [
    ['latitude', 90],
    ['longitude', 180],
  ] as const) {
    const value = location[axis];
    if (value === undefined || value === '') {
      throw GraphError.parameter(`The parameter location['${axis}'] is required.`);
    }
    if (!(Math.abs(Number(value)) <= limit)) {
      throw GraphError.of(131009, `Param location['${axis}'] is out of range.`);
    }
  }
}

function checkReaction(reaction: JsonObject): void {
  onlyKeys(reaction, 'reaction', ['message_id', 'emoji']);
  string(reaction, 'message_id', "reaction['message_id']", 1, 1024);
  // An empty emoji removes the reaction.
  string(reaction, 'emoji', "reaction['emoji']", 0, 32);
}

function checkContacts(contacts: JsonObject): void {
  if (!Array.isArray(contacts) || contacts.length === 0) {
    throw GraphError.parameter('Param contacts must be an array.');
  }
  for (const [index, contact] of contacts.entries()) {
    const name = (contact as JsonObject | null)?.name as JsonObject | undefined;
    if (typeof name?.formatted_name !== 'string' || name.formatted_name === '') {
      throw GraphError.parameter(
        `The parameter contacts[${index}]['name']['formatted_name'] is required.`,
      );
    }
  }
}

function onlyKeys(value: JsonObject, name: string, allowed: string[]): void {
  for (const key of Object.keys(value)) {
    if (!allowed.includes(key)) {
      throw GraphError.parameter(`Unexpected key "${key}" on param "${name}".`);
    }
  }
}

function oneOf(value: unknown, name: string, allowed: string[]): void {
  if (typeof value === 'string' && allowed.includes(value.toLowerCase())) return;
  const list = allowed.join(', ').toUpperCase();
  throw GraphError.parameter(`Param ${name} must be one of {${list}} - got "${String(value)}".`);
}
