import { type GraphError, readGraphError } from './errors.ts';
import type { Credentials, Graph } from './graph.ts';
import { type Json, list, record, storableJson, string } from './json.ts';

/** A template as the network lists it, without characters that cannot be stored. */
export type NetworkTemplate = {
  networkId: string;
  name: string;
  language: string;
  status: string;
  category: string;
  parameterFormat: 'POSITIONAL' | 'NAMED';
  /** Why it was rejected, such as `INVALID_FORMAT`; null without a reason. */
  rejectedReason: string | null;
  components: Json[];
};

/** `endless` means that the list exceeded a limit, or repeated a cursor. */
export type ListedTemplates =
  | { outcome: 'listed' }
  | { outcome: 'endless' }
  | { outcome: 'refused'; error: GraphError }
  | { outcome: 'unreachable'; cause: unknown };

const pageSize = 100;
/** An account may have 6,000 templates in each of its languages. */
const maxPages = 1_000;
/** The limit for all pages together. */
const maxMs = 100_000;
const fields = 'id,name,language,status,category,parameter_format,components,rejected_reason';

/**
 * Reads every page of a business account's templates. Follows the cursor of a page, never the URL
 * in `next`, which could have another host.
 *
 * @param take receives the templates page by page, because all together may not fit into memory.
 *   Only the outcome `listed` means that it has received them all.
 */
export async function listTemplates(
  graph: Graph,
  credentials: Credentials,
  businessAccountId: string,
  take: (templates: NetworkTemplate[]) => Promise<void>,
): Promise<ListedTemplates> {
  const endMs = performance.now() + maxMs;
  const cursors = new Set<string>();
  let after = '';
  while (cursors.size < maxPages && performance.now() < endMs) {
    const query = new URLSearchParams({ limit: String(pageSize), fields, ...(after && { after }) });
    const path = `/${encodeURIComponent(businessAccountId)}/message_templates?${query}`;
    const result = await graph.call(credentials, 'GET', path);
    if (!result.received) return { outcome: 'unreachable', cause: result.cause };
    const { status, body } = result;
    if (status !== 200 || !Array.isArray(body?.data)) {
      return { outcome: 'refused', error: readGraphError(status, body) };
    }
    await take(body.data.flatMap((entry) => readTemplate(record(storableJson(entry))) ?? []));
    const paging = record(body.paging);
    // The last page has a cursor too; only `next` shows that there is another page.
    if (!paging?.next) return { outcome: 'listed' };
    after = string(record(paging.cursors)?.after) ?? '';
    if (!after || cursors.has(after)) break;
    cursors.add(after);
  }
  return { outcome: 'endless' };
}

/** Reads a template; undefined for an entry without a name, a language or a status. */
function readTemplate(entry: Json | undefined): NetworkTemplate | undefined {
  const name = string(entry?.name);
  const language = string(entry?.language);
  const status = string(entry?.status);
  if (!entry || !name || !language || !status) return undefined;
  const reason = string(entry.rejected_reason)?.toUpperCase();
  return {
    networkId: String(entry.id ?? ''),
    name,
    language,
    status: status.toUpperCase(),
    category: string(entry.category)?.toUpperCase() ?? '',
    parameterFormat:
      string(entry.parameter_format)?.toUpperCase() === 'NAMED' ? 'NAMED' : 'POSITIONAL',
    rejectedReason: reason && reason !== 'NONE' ? reason : null,
    components: list(entry.components).filter((one): one is Json => record(one) !== undefined),
  };
}
