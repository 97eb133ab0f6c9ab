import type { RouteHandlerMethod, RouteOptions } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body with all its fields, also those that the handler does not get. */
    givenBody?: unknown;
  }
}

type BodySchema = { properties?: object; anyOf?: BodySchema[] };

/**
 * Wraps the handler of a route so that its body has the fields that its schema names, and no others. Otherwise a handler
 * that passes the body on to a write would write whatever field of a row a client adds.
 *
 * @throws Error if the schema of a body does not name its fields
 */
export function onlyNamedFields({
  method,
  url,
  schema,
  handler,
}: RouteOptions): RouteHandlerMethod {
  if (!schema?.body) return handler;
  const names = namesOf(schema.body as BodySchema);
  if (!names) throw new Error(`The body of ${method} ${url} needs a schema with properties.`);
  return function (request, reply) {
    const fields = Object.entries(request.body as object).filter(([name]) => names.has(name));
    request.givenBody = request.body;
    request.body = Object.fromEntries(fields);
    return handler.call(this, request, reply);
  };
}

/** The fields of an object, or of all parts of a union; undefined if a part does not name them. */
function namesOf({ properties, anyOf }: BodySchema): Set<string> | undefined {
  if (properties) return new Set(Object.keys(properties));
  const parts = anyOf?.map(namesOf);
  if (!parts || parts.includes(undefined)) return undefined;
  return new Set(parts.flatMap((names) => [...names!]));
}
