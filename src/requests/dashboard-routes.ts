import type { Database, Db } from '../platform/database/database.ts';
import { notFound } from '../platform/errors/api-error.ts';
import { createCursors } from '../platform/http/cursor.ts';
import { success } from '../platform/http/success.ts';
import type { Vault } from '../platform/secrets/crypto.ts';
import { idFrom } from '../platform/values/id.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import {
  BodyLog,
  RequestDetails,
  Requests,
  RequestsQuery,
  SaveBodyLog,
} from './dashboard-schema.ts';
import { logBodies } from './log-bodies.ts';
import { findBodiesUntil, findRequest, listRequests, type RequestRow } from './queries.ts';

const requestsPerPage = 50;

/** Registers the routes of the log of requests of the tenant's tokens. */
export function requestDashboardRoutes(
  api: TenantApi,
  { db: writes, vault }: { db: Database; vault: Vault },
): void {
  const cursors = createCursors(vault);

  api.get(
    '/requests',
    {
      config: { limitConcurrency: true },
      schema: { querystring: RequestsQuery, response: { 200: Requests } },
    },
    async ({ db, member: { tenantId }, query: { after, ...filter } }) => {
      const scope = { list: 'requests', tenantId, filter };
      const before = after ? cursors.read<{ id: number }>(scope, after).id : undefined;
      const page = { before, limit: requestsPerPage };
      const { requests, next } = await listRequests(db, tenantId, filter, page);
      return success({
        data: {
          requests: requests.map(presentRequest),
          after: next === undefined ? null : cursors.write(scope, { id: next }),
        },
      });
    },
  );

  api.get(
    '/requests/:id',
    { schema: { response: { 200: RequestDetails } } },
    async ({ db, member: { tenantId }, params }) => {
      const found = await findRequest(db, tenantId, idFrom(params));
      if (!found) throw notFound();
      const { request_body, response_body } = found;
      return success({ data: { ...presentRequest(found), request_body, response_body } });
    },
  );

  const presentBodyLog = async (db: Db, tenantId: number) => {
    const until = await findBodiesUntil(db, tenantId);
    return success({ data: { bodies_until: until?.toISOString() ?? null } });
  };

  api.get('/request-bodies', { schema: { response: { 200: BodyLog } } }, ({ db, member }) =>
    presentBodyLog(db, member.tenantId),
  );

  api.put(
    '/request-bodies',
    { config: { owner: true }, schema: { body: SaveBodyLog, response: { 200: BodyLog } } },
    async ({ member: { tenantId }, body: { minutes } }) => {
      await logBodies(writes, tenantId, minutes);
      return presentBodyLog(writes, tenantId);
    },
  );
}

function presentRequest({
  token_id,
  token_name,
  error_code: code,
  error_message: message,
  ...row
}: RequestRow) {
  return {
    ...row,
    at: row.at.toISOString(),
    token: { id: token_id, name: token_name },
    error: code === null ? null : { code, message: message ?? '' },
  };
}
