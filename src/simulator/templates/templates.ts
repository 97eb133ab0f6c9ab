import { isDeepStrictEqual } from 'node:util';
import { reportOfAccount } from '../account.ts';
import { GraphError } from '../graph/graph-errors.ts';
import { newObjectId } from '../ids.ts';
import type { Network } from '../network.ts';
import type { SimulatorState } from '../state.ts';
import type {
  JsonObject,
  NewTemplate,
  Template,
  TemplateComponent,
  TemplateStatus,
} from '../types.ts';
import { defaultTemplates } from './default-templates.ts';

/** Returns the templates of a business account. A new account gets the default set. */
export function templatesOf(state: SimulatorState, businessAccountId: string): Template[] {
  let templates = state.templates.get(businessAccountId);
  if (!templates) {
    templates = [];
    state.templates.set(businessAccountId, templates);
    for (const template of defaultTemplates) putTemplate(state, businessAccountId, template);
  }
  return templates;
}

/** Adds a template, or replaces the one with the same name and language and keeps its id. */
export function putTemplate(
  state: SimulatorState,
  businessAccountId: string,
  given: NewTemplate,
): Template {
  const templates = templatesOf(state, businessAccountId);
  const at = templates.findIndex(
    (one) => one.name === given.name && one.language === given.language,
  );
  const template: Template = {
    ...structuredClone(given),
    // Reports have it as a number, which is exact only up to 2^53.
    id: templates[at]?.id ?? newObjectId(15),
    business_account_id: businessAccountId,
  };
  if (at >= 0) templates[at] = template;
  else templates.push(template);
  state.changes.emit('any');
  return template;
}

/**
 * Adds or replaces a template, and reports what the network reports: the status of a new one, and the changed category
 * and text of a known one. A status that only `putTemplate` changes is not reported.
 */
export function publishTemplate(
  network: Network,
  businessAccountId: string,
  given: NewTemplate,
): Template {
  const known = templatesOf(network.state, businessAccountId).find(
    (one) => one.name === given.name && one.language === given.language,
  );
  const template = putTemplate(network.state, businessAccountId, given);
  if (!known) setTemplateStatus(network, template, template.status);
  else reportChanges(network, known, template);
  return template;
}

function reportChanges(network: Network, known: Template, template: Template): void {
  const report = (field: string, content: JsonObject) =>
    reportOfAccount(network, template.business_account_id, field, {
      ...namesOf(template),
      ...content,
    });
  if (known.category !== template.category) {
    report('template_category_update', {
      previous_category: known.category,
      new_category: template.category,
    });
  }
  if (!isDeepStrictEqual(known.components, template.components)) {
    const title = componentOf(template, 'HEADER')?.text;
    const footer = componentOf(template, 'FOOTER')?.text;
    report('message_template_components_update', {
      message_template_element: componentOf(template, 'BODY')?.text ?? '',
      ...(title && { message_template_title: title }),
      ...(footer && { message_template_footer: footer }),
    });
  }
}

/** Changes the status of a template and reports it, as the network does. */
export function setTemplateStatus(
  network: Network,
  template: Template,
  status: TemplateStatus,
  reason = 'NONE',
): void {
  template.status = status;
  reportOfAccount(network, template.business_account_id, 'message_template_status_update', {
    event: status,
    ...namesOf(template),
    message_template_category: template.category,
    reason,
  });
  network.state.changes.emit('any');
}

/** The properties that name a template in every report about it. */
function namesOf({ id, name, language }: Template): JsonObject {
  return {
    message_template_id: Number(id),
    message_template_name: name,
    message_template_language: language,
  };
}

type ListRequest = {
  limit?: string;
  after?: string;
  before?: string;
  fields?: string;
  name?: string;
  status?: string;
  language?: string;
  category?: string;
};

/** Lists one page of templates. Only a page with a successor has `next`; every page has `after`. */
export function listTemplates(templates: Template[], query: ListRequest, address: URL): JsonObject {
  const filtered = templates.filter(
    (one) =>
      (!query.name || one.name === query.name) &&
      (!query.status || one.status === query.status.toUpperCase()) &&
      (!query.language || one.language === query.language) &&
      (!query.category || one.category === query.category.toUpperCase()),
  );
  const present = (one: Template) => pickFields(presentTemplate(one), query.fields);
  return pageOf(filtered, query, address, present);
}

/** Presents one page of a list, of 25 records by default. */
export function pageOf<Item>(
  items: Item[],
  query: { limit?: string; after?: string },
  address: URL,
  present: (item: Item) => JsonObject,
): JsonObject {
  const limit = query.limit === undefined ? 25 : Number(query.limit);
  if (!Number.isInteger(limit) || limit < 1) {
    throw GraphError.parameter('Param limit must be a positive integer.');
  }
  const start = query.after ? readCursor(query.after) : 0;
  const page = items.slice(start, start + limit);
  if (page.length === 0) return { data: [] };
  const end = start + page.length;
  const paging: JsonObject = { cursors: { before: cursor(start), after: cursor(end) } };
  if (end < items.length) {
    const next = new URL(address);
    next.searchParams.set('after', cursor(end));
    paging.next = next.href;
  }
  return { data: page.map(present), paging };
}

/** Presents a template as the network does. */
export function presentTemplate(template: Template): JsonObject {
  const { business_account_id: _, ...record } = template;
  return record;
}

/** Selects the requested fields of a record and its id, or all fields without a list. */
export function pickFields(record: JsonObject, fields: string | undefined): JsonObject {
  if (!fields) return record;
  const wanted = fields.split(',').map((field) => field.trim());
  return Object.fromEntries(
    Object.entries(record).filter(([key]) => key === 'id' || wanted.includes(key)),
  );
}

// The network's cursors are base64 of an offset with its padding written as ZD.
function cursor(offset: number): string {
  return Buffer.from(String(offset)).toString('base64').replaceAll('=', 'ZD');
}

function readCursor(text: string): number {
  const offset = Buffer.from(text.replaceAll('ZD', '='), 'base64').toString('latin1');
  if (!/^\d{1,9}$/.test(offset)) throw GraphError.parameter('Invalid cursors values');
  return Number(offset);
}

export function componentOf(template: Template, type: string): TemplateComponent | undefined {
  return template.components.find((component) => component.type.toUpperCase() === type);
}

/** Lists the distinct placeholder names of a text, in order of first appearance. */
export function placeholders(text: string): string[] {
  const names = [...text.matchAll(/\{\{\s*([^{}\s]+)\s*\}\}/g)].map((match) => match[1] as string);
  return [...new Set(names)];
}
