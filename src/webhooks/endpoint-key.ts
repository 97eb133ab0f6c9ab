import sql, { type Sql } from 'sql-template-tag';

/** The tenant's first endpoint, named `default`: the one that commands mean without `--endpoint`. */
export const defaultEndpoint = 0;

/** An endpoint of a tenant. */
export type Endpoint = { tenantId: number; webhookId: number };

export function defaultEndpointOf(tenantId: number): Endpoint {
  return { tenantId, webhookId: defaultEndpoint };
}

/** Returns the endpoint that the query of a request means. */
export function endpointFrom(
  tenantId: number,
  { endpoint }: { endpoint?: number | undefined },
): Endpoint {
  return { tenantId, webhookId: endpoint ?? defaultEndpoint };
}

/**
 * The name of an endpoint in notifications and in the memory of a process: `12` for the default one of tenant 12,
 * `12/3` for another one.
 */
export function endpointKey({ tenantId, webhookId }: Endpoint): string {
  return webhookId === defaultEndpoint ? String(tenantId) : `${tenantId}/${webhookId}`;
}

/**
 * Reads what {@link endpointKey} wrote; undefined if the text is something else. Ids of tenants have up to 16 digits.
 */
export function readEndpointKey(text: string): Endpoint | undefined {
  const [, tenantId, webhookId] = /^(\d{1,16})(?:\/(\d{1,5}))?$/.exec(text) ?? [];
  if (tenantId === undefined) return undefined;
  return { tenantId: Number(tenantId), webhookId: Number(webhookId ?? defaultEndpoint) };
}

/** {@link endpointKey} in SQL. */
export function endpointKeyOf(tenantId: Sql, webhookId: Sql): Sql {
  return sql`concat(${tenantId}, nullif(concat('/', ${webhookId}), '/0'))`;
}
