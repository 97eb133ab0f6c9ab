import { type GraphError, readGraphError } from './errors.ts';
import type { Credentials, Graph } from './graph.ts';
import { type Json, list, record, storableJson, string } from './json.ts';

/** A template as the network lists it; what cannot be stored of its texts is left out. */
export type NetworkTemplate = {
  networkId: string;
  name: string;
  language: string;
  status: string;
  category: string;
  parameterFormat: 'POSITIONAL' | 'NAMED';
  components: Json[];
};

export type ListedTemplates =
  | { outcome: 'listed'; templates: NetworkTemplate[] }
  | { outcome: 'refused'; error: GraphError }
  | { outcome: 'unreachable'; cause: unknown };

const pageSize = 100;
/** An account may hold 6,000 templates in each of its languages; a list without end is a fault. */
const mostPages = 1_000;
const fields = 'id,name,language,status,category,parameter_format,components';

/**
 * Reads every page of a business account's templates. Pages are followed by their cursor, never by
 * the address in `next`, which could name another host.
 */
export async function listTemplates(
  graph: Graph,
  credentials: Credentials,
  businessAccountId: string,
): Promise<ListedTemplates> {
  const templates: NetworkTemplate[] = [];
  let after = '';
  for (let page = 0; page < mostPages; page++) {
    const query = new URLSearchParams({ limit: String(pageSize), fields, ...(after && { after }) });
    const path = `/${encodeURIComponent(businessAccountId)}/message_templates?${query}`;
    const answer = await graph.call(credentials, 'GET', path);
    if (!answer.answered) return { outcome: 'unreachable', cause: answer.cause };
    const { status, body } = answer;
    if (status !== 200 || !Array.isArray(body?.data)) {
      return { outcome: 'refused', error: readGraphError(status, body) };
    }
    for (const entry of body.data) {
      const template = readTemplate(record(storableJson(entry)));
      if (template) templates.push(template);
    }
    const paging = record(body.paging);
    const next = string(record(paging?.cursors)?.after);
    // The last page still has a cursor; only `next` tells that more follows.
    if (!paging?.next || !next || next === after) return { outcome: 'listed', templates };
    after = next;
  }
  return { outcome: 'unreachable', cause: new Error('the list of templates does not end') };
}

/** Undefined for an entry that lacks what makes it a template. */
function readTemplate(entry: Json | undefined): NetworkTemplate | undefined {
  const name = string(entry?.name);
  const language = string(entry?.language);
  const status = string(entry?.status);
  if (!entry || !name || !language || !status) return undefined;
  return {
    networkId: String(entry.id ?? ''),
    name,
    language,
    status: status.toUpperCase(),
    category: string(entry.category)?.toUpperCase() ?? '',
    parameterFormat:
      string(entry.parameter_format)?.toUpperCase() === 'NAMED' ? 'NAMED' : 'POSITIONAL',
    components: list(entry.components).filter((one): one is Json => record(one) !== undefined),
  };
}
