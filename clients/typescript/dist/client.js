import createFetchClient, {} from 'openapi-fetch';
import { retrying } from './retry.js';
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
export function createClient({ url, tenant, token, retry, fetch }) {
    const base = new URL(`api/${encodeURIComponent(tenant)}`, url.endsWith('/') ? url : `${url}/`);
    if (base.protocol !== 'https:')
        throw new TypeError(`the API is reached over HTTPS only: ${url}`);
    return createFetchClient({
        baseUrl: base.href,
        headers: { authorization: `Bearer ${token}` },
        redirect: 'error',
        fetch: retrying(fetch ?? ((request) => globalThis.fetch(request)), retry),
    });
}
