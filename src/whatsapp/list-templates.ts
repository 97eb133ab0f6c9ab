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

/** `endless`: it went on past every bound, or in a circle. */
export type ListedTemplates =
  | { outcome: 'listed' }
  | { outcome: 'endless' }
  | { outcome: 'refused'; error: GraphError }
  | { outcome: 'unreachable'; cause: unknown };

const pageSize = 100;
/** An account may hold 6,000 templates in each of its languages; a list without end is a fault. */
const mostPages = 1_000;
/** For all pages together. */
const mostMs = 100_000;
const fields = 'id,name,language,status,category,parameter_format,components';

/**
 * Reads every page of a business account's templates. Pages are followed by their cursor, never by
 * the address in `next`, which could name another host.
 *
 * @param take is given the templates of one page after the other, as they come: of all together there
 *   can be more than fit into memory. Only after `listed` were they all.
 */
export async function listTemplates(
  graph: Graph,
  credentials: Credentials,
  businessAccountId: string,
  take: (templates: NetworkTemplate[]) => Promise<void>,
): Promise<ListedTemplates> {
  const endMs = performance.now() + mostMs;
  const cursors = new Set<string>();
  let after = '';
  while (cursors.size < mostPages && performance.now() < endMs) {
    const query = new URLSearchParams({ limit: String(pageSize), fields, ...(after && { after }) });
    const path = `/${encodeURIComponent(businessAccountId)}/message_templates?${query}`;
    const answer = await graph.call(credentials, 'GET', path);
    if (!answer.answered) return { outcome: 'unreachable', cause: answer.cause };
    const { status, body } = answer;
    if (status !== 200 || !Array.isArray(body?.data)) {
      return { outcome: 'refused', error: readGraphError(status, body) };
    }
    await take(body.data.flatMap((entry) => readTemplate(record(storableJson(entry))) ?? []));
    const paging = record(body.paging);
    // The last page still has a cursor; only `next` tells that more follows.
    if (!paging?.next) return { outcome: 'listed' };
    after = string(record(paging.cursors)?.after) ?? '';
    if (!after || cursors.has(after)) break;
    cursors.add(after);
  }
  return { outcome: 'endless' };
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
