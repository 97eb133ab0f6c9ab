import type { JsonObject } from '../types.ts';
import { GraphError } from './graph-errors.ts';
import { object, string } from './params.ts';

/** Checks an interactive message: reply buttons, a list, a link button, or a request for the phone. */
export function validateInteractive(interactive: JsonObject): void {
  const type = string(interactive, 'type', "interactive['type']", 1, 64);
  string(
    object(interactive, 'body', "interactive['body']"),
    'text',
    "interactive['body']['text']",
    1,
    1024,
  );
  const action = object(interactive, 'action', "interactive['action']");
  if (type === 'button') checkButtons(action);
  else if (type === 'list') checkList(action);
  else if (type === 'request_contact_info') {
    const name = string(action, 'name', "interactive['action']['name']", 1, 64);
    if (name !== type) throw GraphError.of(131009, 'Action name is not valid for this type.');
  } else if (type === 'cta_url') {
    const parameters = object(action, 'parameters', "interactive['action']['parameters']");
    string(
      parameters,
      'display_text',
      "interactive['action']['parameters']['display_text']",
      1,
      20,
    );
    string(parameters, 'url', "interactive['action']['parameters']['url']", 1, 2000);
  }
}

function checkButtons(action: JsonObject): void {
  const buttons = Array.isArray(action.buttons) ? action.buttons : [];
  if (buttons.length < 1 || buttons.length > 3) {
    throw GraphError.of(
      131009,
      'Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3',
    );
  }
  const seen = new Set<unknown>();
  for (const button of buttons as JsonObject[]) {
    const reply = object(button, 'reply', "interactive['action']['buttons']['reply']");
    string(reply, 'id', "interactive['action']['buttons']['reply']['id']", 1, 256);
    if (typeof reply.title !== 'string' || reply.title.length < 1 || reply.title.length > 20) {
      throw GraphError.of(131009, 'Button title length invalid. Min length: 1, Max length: 20');
    }
    if (seen.has(reply.id)) throw GraphError.of(131009, 'Duplicated button id is not allowed.');
    seen.add(reply.id);
  }
}

function checkList(action: JsonObject): void {
  string(action, 'button', "interactive['action']['button']", 1, 20);
  const sections = Array.isArray(action.sections) ? (action.sections as (JsonObject | null)[]) : [];
  const rows = sections.flatMap((section) => (Array.isArray(section?.rows) ? section.rows : []));
  if (rows.length < 1 || rows.length > 10) {
    throw GraphError.of(131009, 'Total row count exceed max allowed count: 10');
  }
  for (const row of rows as JsonObject[]) {
    string(row, 'id', "interactive['action']['sections']['rows']['id']", 1, 200);
    string(row, 'title', "interactive['action']['sections']['rows']['title']", 1, 24);
  }
}
