import createFetchClient, { type Client } from 'openapi-fetch';
import { completeResponse } from './complete-response.ts';
import { type RetryOptions, retrying } from './retry.ts';
import type { paths } from './schema.ts';

export { type ErrorCode, ParleyError, type Result, unwrap } from './errors.ts';
export { idempotencyKeyOf } from './idempotency-key.ts';
export { NoResponseError } from './no-response-error.ts';
export type { components, operations, paths } from './schema.ts';
export { type ListPage, pages, walk } from './walk.ts';
export type { RetryOptions };

/** Without `dry_run`, the response to a send has the ids of the message. */
type Sends = {
  [path in keyof paths]: paths[path] extends { post: infer Send extends AnySend }
    ? Omit<paths[path], 'post'> & { post: WithoutDryRun<Send> }
    : paths[path];
};
type AnySend = {
  requestBody: { content: { 'application/json': object } };
  responses: { 200: { content: { 'application/json': { data: { status: 'sent' | 'valid' } } } } };
};
type WithoutDryRun<Send extends AnySend> = Omit<Send, 'requestBody' | 'responses'> & {
  requestBody: {
    content: {
      'application/json': Send['requestBody']['content']['application/json'] & { dry_run?: false };
    };
  };
  responses: Omit<Send['responses'], 200> & {
    200: Omit<Send['responses'][200], 'content'> & {
      content: { 'application/json': Sent<Send['responses'][200]['content']['application/json']> };
    };
  };
};
type Sent<Body extends { data: { status: string } }> = Omit<Body, 'data'> & {
  data: Extract<Body['data'], { status: 'sent' }>;
};

type Plain = Client<paths, 'application/json'>;
export type ParleyClient = Omit<Plain, 'POST'> & {
  POST: Client<Sends, 'application/json'>['POST'] & Plain['POST'];
};

export type ClientOptions = {
  /** Where the service is, such as `https://messages.example.com`. */
  url: string;
  /** The tenant's identifier, which is part of every path. */
  tenant: string;
  /** An API token; keep it on servers. */
  token: string;
  retry?: RetryOptions;
  /** Sends a request instead of the global `fetch`, for example through a proxy. */
  fetch?: (request: Request) => Promise<Response>;
};

/**
 * Creates a client of one tenant. Its methods take a path of the API and return `{data, error, response}`.
 * None throws because of an HTTP status; without a response they throw a {@link NoResponseError}.
 *
 * A request is retried after a 429, a 5xx, or no response (see {@link RetryOptions}). Each POST has an
 * `Idempotency-Key`, which is random unless you set one, so that a retry has no second effect.
 * {@link idempotencyKeyOf} returns it.
 *
 * @throws TypeError if the URL is not HTTPS
 */
export function createClient({
  url,
  tenant,
  token,
  retry,
  fetch = (request) => globalThis.fetch(request),
}: ClientOptions): ParleyClient {
  const base = new URL(`api/${encodeURIComponent(tenant)}`, url.endsWith('/') ? url : `${url}/`);
  if (base.protocol !== 'https:') throw new TypeError(`the URL must be HTTPS: ${url}`);
  const client: Plain = createFetchClient<paths, 'application/json'>({
    baseUrl: base.href,
    headers: { authorization: `Bearer ${token}` },
    redirect: 'error',
    fetch: retrying(async (request) => completeResponse(await fetch(request)), retry),
  });
  return client as ParleyClient;
}
