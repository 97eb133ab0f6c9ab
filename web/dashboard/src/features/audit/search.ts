import type { OperationOf } from '../../api/call-types.ts';
import type { TenantApi } from '../../api/client.ts';
import type { TenantPaths } from '../../api/schema.ts';
import { readText } from '../../shell/read-search.ts';

type Filter = NonNullable<OperationOf<TenantPaths, '/audit', 'get'>['parameters']['query']>;

/** The search parameters of the page: a kind of changes, and a person or program as `member:id`. */
export type AuditSearch = { kind?: Filter['kind']; actor?: string | undefined };

/** Omitted parameters are set to undefined, because the router would keep them. The service knows the kinds. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  return {
    kind: readText(search.kind, 20) as Filter['kind'],
    actor: readText(search.actor, 100),
  };
}

/** The query for the entries that pass a filter, the newest first. */
export const auditQuery = (api: TenantApi, search: AuditSearch) =>
  api.askedInParts('/audit', { query: search }, 'after', ({ after }) => after);
