import type { FastifyRequest } from 'fastify';

export const mask = '•••';

const maxLength = 1_000;
/** The position in a list says nothing to a person, and is long. */
const notKept = ['after'];

/** Returns the parameters of a route whose values may be logged: those of its schema. */
export function loggedParameters(schema: { querystring?: unknown } | undefined): Set<string> {
  const { properties = {} } = (schema?.querystring ?? {}) as { properties?: object };
  return new Set(Object.keys(properties).filter((name) => !notKept.includes(name)));
}

/**
 * Returns the path of a request after `/api/{tenant}`, with its query. Values of parameters that the route does not
 * have are masked, because anything can be in them, such as a token.
 */
export function maskPath({ url }: Pick<FastifyRequest, 'url'>, logged: Set<string>): string {
  const path = url.slice(url.indexOf('/', '/api/'.length));
  const at = path.indexOf('?');
  if (at < 0) return path.slice(0, maxLength);
  const query = path.slice(at + 1).split('&');
  return `${path.slice(0, at)}?${query.map((each) => maskParameter(each, logged)).join('&')}`.slice(
    0,
    maxLength,
  );
}

function maskParameter(parameter: string, logged: Set<string>): string {
  const at = parameter.indexOf('=');
  const name = parameter.slice(0, Math.max(0, at));
  if (logged.has(name)) return parameter;
  return /^[a-z_]{1,40}$/i.test(name) ? `${name}=${mask}` : mask;
}
