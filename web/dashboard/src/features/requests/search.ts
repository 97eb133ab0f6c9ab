import type { OperationOf } from '../../api/call-types.ts';
import type { TenantPaths } from '../../api/schema.ts';
import { readText, readWhole } from '../../shell/read-search.ts';

type Filter = NonNullable<OperationOf<TenantPaths, '/requests', 'get'>['parameters']['query']>;
type Method = NonNullable<Filter['method']>;

export const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const satisfies readonly Method[];
export const statuses = [2, 4, 5] as const;

/** The search parameters of the page: the filter, and the request that is open. */
export type RequestSearch = {
  /** The first digit of the HTTP status. */
  status?: number | undefined;
  method?: Method | undefined;
  path?: string | undefined;
  token?: number | undefined;
  request_id?: string | undefined;
  open?: number | undefined;
};

/** Omitted parameters are set to undefined, because the router would keep them. */
export function readRequestSearch(search: Record<string, unknown>): RequestSearch {
  return {
    status: statuses.find((each) => each === Number(search.status)),
    method: methods.find((each) => each === search.method),
    path: readText(search.path, 255),
    token: readWhole(search.token, 1),
    request_id: readText(search.request_id, 128),
    open: readWhole(search.open, 1),
  };
}

export function filterOf({ open: _, ...filter }: RequestSearch): Filter {
  return filter;
}
