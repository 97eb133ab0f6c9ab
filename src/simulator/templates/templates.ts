import { isDeepStrictEqual } from 'node:util';
import { reportOfAccount } from '../account.ts';
import { GraphError } from '../graph/graph-errors.ts';
import { type PageRequest, pageOf } from '../graph/pages.ts';
import { pickFields } from '../graph/pick-fields.ts';
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
  template.rejected_reason = status === 'REJECTED' ? reason : 'NONE';
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

type ListRequest = PageRequest & {
  fields?: string;
  name?: string;
  name_or_content?: string;
  status?: string;
  language?: string;
  category?: string;
};

/** Lists one page of templates. */
export function listTemplates(templates: Template[], query: ListRequest, address: URL): JsonObject {
  const [statuses, categories] = [readFilter(query.status), readFilter(query.category)];
  const languages = readFilter(query.language);
  const searched = query.name_or_content?.toLowerCase();
  const filtered = templates.filter(
    (one) =>
      (!query.name || one.name === query.name) &&
      (!searched || contentOf(one).includes(searched)) &&
      (!statuses || statuses.includes(one.status)) &&
      (!categories || categories.includes(one.category)) &&
      (!languages || languages.includes(one.language.toUpperCase())),
  );
  const present = (one: Template) => pickTemplateFields(one, query.fields);
  return pageOf(filtered, query, address, present);
}

/** Reads the values of a filter in capital letters: a JSON array, or one value. */
function readFilter(text: string | undefined): string[] | null {
  if (!text) return null;
  if (!text.startsWith('[')) return [text.toUpperCase()];
  try {
    return (JSON.parse(text) as string[]).map((value) => value.toUpperCase());
  } catch {
    throw GraphError.parameter('A filter must be an array of strings.');
  }
}

function contentOf({ name, components }: Template): string {
  return [name, ...components.map(({ text }) => text)].join('\n').toLowerCase();
}

/** Fields that no template here has. */
const otherFields = [
  ...['quality_score', 'correct_category', 'previous_category', 'sub_category'],
  ...['message_send_ttl_seconds', 'cta_url_link_tracking_opted_out', 'library_template_name'],
  ...['degrees_of_freedom_spec', 'last_updated_time'],
];

/** Presents the requested fields of a template and its id, or all but those that must be requested. */
export function pickTemplateFields(template: Template, fields: string | undefined): JsonObject {
  const { business_account_id: _, rejected_reason = 'NONE', ...record } = template;
  return fields ? pickFields({ ...record, rejected_reason }, fields, otherFields) : record;
}

export function componentOf(template: Template, type: string): TemplateComponent | undefined {
  return template.components.find((component) => component.type.toUpperCase() === type);
}

/** Lists the distinct placeholder names of a text, in order of first appearance. */
export function placeholders(text: string): string[] {
  const names = [...text.matchAll(/\{\{\s*([^{}\s]+)\s*\}\}/g)].map((match) => match[1] as string);
  return [...new Set(names)];
}
