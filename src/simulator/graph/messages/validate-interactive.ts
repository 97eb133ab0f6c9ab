import type { JsonObject } from '../../types.ts';
import { GraphError } from '../graph-errors.ts';
import { object, string } from '../params.ts';
import { checkMediaSource, type HasMedia } from './check-media-source.ts';

/** What a type of interactive message may have. Lengths are in characters. */
type Kind = {
  maxBody: number;
  headers: string[];
  hasFooter: boolean;
  /** Checks the `action`. */
  check(action: JsonObject, hasMedia: HasMedia): void;
};

const anyHeader = ['text', 'image', 'video', 'document'];
const where = "interactive['action']";

const kinds: Record<string, Kind> = {
  button: { maxBody: 1024, headers: anyHeader, hasFooter: true, check: checkButtons },
  list: { maxBody: 4096, headers: ['text'], hasFooter: true, check: checkList },
  cta_url: { maxBody: 1024, headers: anyHeader, hasFooter: true, check: checkLink },
  flow: { maxBody: 1024, headers: anyHeader, hasFooter: true, check: checkFlow },
  carousel: { maxBody: 1024, headers: [], hasFooter: false, check: checkCards },
  location_request_message: {
    maxBody: 1024,
    headers: [],
    hasFooter: false,
    check: (action) => checkName(action, 'send_location'),
  },
  request_contact_info: {
    maxBody: 1024,
    headers: [],
    hasFooter: false,
    check: (action) => checkName(action, 'request_contact_info'),
  },
  address_message: { maxBody: 1024, headers: anyHeader, hasFooter: true, check: checkAddress },
};

/** Only the body of these types is checked: they need a catalogue or calls, which the simulator does not have. */
const others = [
  ...['product', 'product_list', 'catalog_message', 'order_details', 'order_status'],
  ...['voice_call', 'call_permission_request'],
];

/**
 * Checks an interactive message.
 *
 * @throws GraphError
 */
export function validateInteractive(interactive: JsonObject, hasMedia: HasMedia): void {
  const type = string(interactive, 'type', "interactive['type']", 1, 64);
  const kind = kinds[type];
  if (!kind && !others.includes(type)) {
    const types = [...Object.keys(kinds), ...others].join(', ').toUpperCase();
    throw GraphError.parameter(
      `Param interactive['type'] must be one of {${types}} - got "${type}".`,
    );
  }
  checkText(interactive, 'body', 'interactive', kind?.maxBody ?? 1024);
  const action = object(interactive, 'action', where);
  if (!kind) return;
  if (interactive.header !== undefined) checkHeader(interactive, kind.headers, hasMedia);
  if (interactive.footer !== undefined) {
    if (!kind.hasFooter) throw invalid(`A message of type ${type} has no footer.`);
    checkText(interactive, 'footer', 'interactive', 60);
  }
  kind.check(action, hasMedia);
}

/** Checks the `text` of a part of a message or a card. */
function checkText(parent: JsonObject, part: string, of: string, max: number): void {
  const name = `${of}['${part}']`;
  string(object(parent, part, name), 'text', `${name}['text']`, 1, max);
}

/** Checks the header of a message or a card, and returns its type. */
function checkHeader(parent: JsonObject, allowed: string[], hasMedia: HasMedia): string {
  const header = object(parent, 'header', "interactive['header']");
  const type = string(header, 'type', "interactive['header']['type']", 1, 64);
  if (!allowed.includes(type)) throw invalid(`A header of type ${type} is not allowed here.`);
  if (type === 'text') string(header, 'text', "interactive['header']['text']", 1, 60);
  else {
    const name = `interactive['header']['${type}']`;
    checkMediaSource(object(header, type, name), name, hasMedia);
  }
  return type;
}

function checkButtons(action: JsonObject): void {
  const buttons = Array.isArray(action.buttons) ? action.buttons : [];
  if (buttons.length < 1 || buttons.length > 3) {
    throw invalid('Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3');
  }
  const replies = (buttons as JsonObject[]).map((button) =>
    object(button, 'reply', `${where}['buttons']['reply']`),
  );
  for (const reply of replies) {
    string(reply, 'id', `${where}['buttons']['reply']['id']`, 1, 256);
    if (typeof reply.title !== 'string' || reply.title.length < 1 || reply.title.length > 20) {
      throw invalid('Button title length invalid. Min length: 1, Max length: 20');
    }
  }
  requireUnique(replies, 'id', 'button');
  requireUnique(replies, 'title', 'button');
}

function checkList(action: JsonObject): void {
  string(action, 'button', `${where}['button']`, 1, 20);
  const sections = Array.isArray(action.sections) ? (action.sections as JsonObject[]) : [];
  const rows = sections.flatMap((section) => {
    if (!Array.isArray(section?.rows) || section.rows.length === 0) {
      throw GraphError.parameter(`The parameter ${where}['sections']['rows'] is required.`);
    }
    if (sections.length > 1 || section.title !== undefined) {
      string(section, 'title', `${where}['sections']['title']`, 1, 24);
    }
    return section.rows as JsonObject[];
  });
  if (rows.length < 1 || rows.length > 10) {
    throw invalid('Total row count exceed max allowed count: 10');
  }
  for (const row of rows) {
    string(row, 'id', `${where}['sections']['rows']['id']`, 1, 200);
    string(row, 'title', `${where}['sections']['rows']['title']`, 1, 24);
    if (row.description !== undefined) {
      string(row, 'description', `${where}['sections']['rows']['description']`, 0, 72);
    }
  }
  requireUnique(rows, 'id', 'row');
}

function checkLink(action: JsonObject): void {
  if (action.name !== undefined) checkName(action, 'cta_url');
  const parameters = object(action, 'parameters', `${where}['parameters']`);
  string(parameters, 'display_text', `${where}['parameters']['display_text']`, 1, 20);
  string(parameters, 'url', `${where}['parameters']['url']`, 1, 2000);
}

function checkFlow(action: JsonObject): void {
  checkName(action, 'flow');
  const parameters = object(action, 'parameters', `${where}['parameters']`);
  const form = parameters.flow_name === undefined ? 'flow_id' : 'flow_name';
  string(parameters, form, `${where}['parameters']['${form}']`, 1, 256);
  string(parameters, 'flow_cta', `${where}['parameters']['flow_cta']`, 1, 30);
}

function checkAddress(action: JsonObject): void {
  checkName(action, 'address_message');
  const parameters = object(action, 'parameters', `${where}['parameters']`);
  string(parameters, 'country', `${where}['parameters']['country']`, 2, 2);
}

function checkCards(action: JsonObject, hasMedia: HasMedia): void {
  const cards = Array.isArray(action.cards) ? (action.cards as (JsonObject | null)[]) : [];
  if (cards.length < 2 || cards.length > 10) {
    throw invalid('Invalid cards count. Min allowed cards: 2, Max allowed cards: 10');
  }
  const headers = new Set<string>();
  for (const [index, each] of cards.entries()) {
    const name = `${where}['cards'][${index}]`;
    const card = object({ each }, 'each', name);
    if (card.card_index !== index) throw invalid(`Param ${name}['card_index'] must be ${index}.`);
    headers.add(checkHeader(card, ['image', 'video'], hasMedia));
    if (card.body !== undefined) checkText(card, 'body', name, 160);
    if (card.type === 'cta_url') checkLink(object(card, 'action', `${name}['action']`));
  }
  if (headers.size > 1) throw invalid('All cards must have the same type of header.');
}

function checkName(action: JsonObject, expected: string): void {
  const name = string(action, 'name', `${where}['name']`, 1, 64);
  if (name !== expected) throw invalid('Action name is not valid for this type.');
}

function requireUnique(items: JsonObject[], key: string, noun: string): void {
  if (new Set(items.map((item) => item[key])).size < items.length) {
    throw invalid(`Duplicated ${noun} ${key} is not allowed.`);
  }
}

function invalid(details: string): GraphError {
  return GraphError.of(131009, details);
}
