import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';
import { statement } from '../platform/database/statement.ts';
import { notifyTopic } from '../tenants/watched-topics.ts';

/** A request of a token, and how it ended. */
export type LoggedRequest = {
  tenantId: number;
  tokenId: number;
  at: Date;
  method: string;
  path: string;
  status: number;
  durationMs: number;
  requestId: string;
  error: { code: string; message: string } | undefined;
  /** Further requests of the tenant that were made about the same time and are not logged. */
  leftOut: number;
  requestBody: string | null;
  responseBody: string | null;
};

/** Adds requests of many tenants to the log. */
export async function insertRequests(db: Db, requests: LoggedRequest[]): Promise<void> {
  await db.query(
    statement(
      'add-requests',
      sql`
        with added as (
          insert into api_requests
            (tenant_id, token_id, at, method, path, status, duration_ms, request_id, error_code,
             error_message, left_out, request_body, response_body)
          -- The oldest request decides when old ones are deleted, so none is from the future.
          select made.tenant_id, made.token_id, least(made.at, now()), method, path, status, duration_ms,
                 request_id, error_code, error_message, left_out, request_body, response_body
          from ${rowsOf('made', requests, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            token_id: ['bigint', ({ tokenId }) => tokenId],
            at: ['timestamptz', ({ at }) => at],
            method: ['text', ({ method }) => method],
            path: ['text', ({ path }) => path],
            status: ['smallint', ({ status }) => status],
            duration_ms: ['int', ({ durationMs }) => durationMs],
            request_id: ['text', ({ requestId }) => requestId],
            error_code: ['text', ({ error }) => error?.code ?? null],
            error_message: ['text', ({ error }) => error?.message ?? null],
            left_out: ['int', ({ leftOut }) => leftOut],
            request_body: ['text', ({ requestBody }) => requestBody],
            response_body: ['text', ({ responseBody }) => responseBody],
          })}
          -- A tenant may have been deleted in the meantime.
          join tokens on tokens.tenant_id = made.tenant_id and tokens.id = made.token_id
          order by made.at
          returning tenant_id
        )
        select ${notifyTopic('requests', sql`added.tenant_id`)}
        from (select distinct tenant_id from added) as added`,
    ),
  );
}

export type RequestRow = {
  id: number;
  at: Date;
  method: string;
  path: string;
  status: number;
  duration_ms: number;
  token_id: number;
  token_name: string;
  request_id: string;
  error_code: string | null;
  error_message: string | null;
  left_out: number;
};

type RequestFilter = {
  /** The first digit of the HTTP status. */
  status?: number | undefined;
  method?: string | undefined;
  /** A part of the path, in any case. */
  path?: string | undefined;
  token?: number | undefined;
  request_id?: string | undefined;
};

const columns = sql`
  logged.id, at, method, path, status, duration_ms, token_id, tokens.name as token_name, request_id,
  error_code, error_message, left_out`;

/** The requests that a page looks at. A filter may leave most of them out, and has no index but for request ids. */
const maxScanned = 20_000;

/**
 * Lists requests of a tenant, the newest first.
 *
 * @param before the id at which the previous page ended
 * @returns `next` is where the next page begins; undefined at the end. A page can have fewer requests than `limit`
 *   before the end
 */
export async function listRequests(
  db: Db,
  tenantId: number,
  filter: RequestFilter,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<{ requests: RequestRow[]; next: number | undefined }> {
  const { status = null, method = null, path = null, token = null, request_id } = filter;
  const { rows } = await db.query<RequestRow & { scanned_to: number | null }>(sql`
    with scanned as materialized (
      -- Without the bodies, which a page of the list does not need.
      select id, at, method, path, status, duration_ms, token_id, request_id, error_code, error_message, left_out
      from api_requests
      where tenant_id = ${tenantId} and id < ${before ?? Number.MAX_SAFE_INTEGER}
        and ${request_id === undefined ? sql`true` : sql`request_id = ${request_id}`}
      order by id desc limit ${maxScanned}
    ), passing as (
      select ${columns}
      from scanned as logged
      join tokens on tokens.tenant_id = ${tenantId} and tokens.id = logged.token_id
      where (${status}::int is null or status / 100 = ${status})
        and (${method}::text is null or method = ${method})
        and (${path}::text is null or position(lower(${path}) in lower(path)) > 0)
        and (${token}::bigint is null or token_id = ${token})
      order by logged.id desc limit ${limit + 1}
    )
    select passing.*, ends.scanned_to
    from (
      select case when count(*) = ${maxScanned}::int then min(id) end as scanned_to from scanned
    ) as ends
    left join passing on true
    order by passing.id desc`);
  const found = rows.filter(({ id }) => id !== null);
  const requests = found.slice(0, limit).map(({ scanned_to: _, ...row }) => row);
  const next = found.length > limit ? requests.at(-1)!.id : (rows[0]!.scanned_to ?? undefined);
  return { requests, next };
}

type RequestBodies = { request_body: string | null; response_body: string | null };

/** Finds a request of a tenant with its bodies. */
export async function findRequest(
  db: Db,
  tenantId: number,
  id: number,
): Promise<(RequestRow & RequestBodies) | undefined> {
  const { rows } = await db.query<RequestRow & RequestBodies>(sql`
    select ${columns}, request_body, response_body
    from api_requests as logged
    join tokens on tokens.tenant_id = ${tenantId} and tokens.id = logged.token_id
    where logged.tenant_id = ${tenantId} and logged.id = ${id}`);
  return rows[0];
}

/** Finds until when the bodies of a tenant's requests are logged; undefined if they are not. */
export async function findBodiesUntil(db: Db, tenantId: number): Promise<Date | undefined> {
  const { rows } = await db.query<{ until: Date }>(sql`
    select log_bodies_until as until from tenants
    where id = ${tenantId} and log_bodies_until > now()`);
  return rows[0]?.until;
}

/**
 * Sets for how many minutes from now the bodies of a tenant's requests are logged; 0 for none.
 *
 * @returns the end; null for none
 */
export async function setBodiesUntil(
  db: Db,
  tenantId: number,
  minutes: number,
): Promise<Date | null> {
  const { rows } = await db.query<{ until: Date | null }>(sql`
    update tenants set log_bodies_until =
      case when ${minutes}::int > 0 then now() + ${minutes}::int * interval '1 minute' end
    where id = ${tenantId}
    returning log_bodies_until as until, ${notifyTopic('requests', sql`tenants.id`)}`);
  return rows[0]?.until ?? null;
}
