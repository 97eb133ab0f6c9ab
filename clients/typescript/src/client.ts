import createFetchClient, { type Client } from 'openapi-fetch';
import { type RetryOptions, retrying } from './retry.ts';
import type { paths } from './schema.ts';

export type { components, operations, paths } from './schema.ts';
export type { RetryOptions };

export type ParleyClient = Client<paths, 'application/json'>;

export type ClientOptions = {
  /** Where the service is, such as `https://messages.example.com`. */
  url: string;
  /** The tenant's identifier, which is part of every path. */
  tenant: string;
  /** An API token; keep it on servers. */
  token: string;
  retry?: RetryOptions;
  /** What sends a request, instead of the global `fetch`: for a proxy, or a certificate of your own. */
  fetch?: (request: Request) => Promise<Response>;
};

/**
 * A client of one tenant. Its methods take a path of the API and answer `{data, error, response}`;
 * none throws because of a status.
 *
 * A request that is answered 429 or 5xx, or not at all, is tried again (see {@link RetryOptions}).
 * Each POST has an `Idempotency-Key`, one of its own unless you set one, so that trying again has
 * no second effect.
 *
 * @throws TypeError when the URL is not HTTPS
 */
export function createClient({ url, tenant, token, retry, fetch }: ClientOptions): ParleyClient {
  const base = new URL(`api/${encodeURIComponent(tenant)}`, url.endsWith('/') ? url : `${url}/`);
  if (base.protocol !== 'https:') throw new TypeError(`the API is reached over HTTPS only: ${url}`);
  return createFetchClient<paths, 'application/json'>({
    baseUrl: base.href,
    headers: { authorization: `Bearer ${token}` },
    redirect: 'error',
    fetch: retrying(fetch ?? ((request) => globalThis.fetch(request)), retry),
  });
}
