import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { describedPath } from './described-path.ts';
import type { ApiDescription, Operation } from './description.ts';
import { createSchemaWriter, type Schema, type SchemaWriter } from './write-schema.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The description of the routes for our own pages, for the types of their calls. It is never served. */
    ownApiDescription(): ApiDescription;
  }
  interface FastifySchema {
    /** The media type of the body if it is not JSON. */
    requestType?: string;
    /** The media type of the response if it is not JSON. */
    responseType?: string;
    /** The schema of a response that is not JSON as a whole, such as of the events of a stream. */
    responseShape?: object;
  }
}

/** The prefixes of the routes for our own pages. */
export const ownPrefixes = { tenant: '/dashboard-api/{tenant}', auth: '/auth' };

/** Collects every route for our own pages that is added after this call. */
export function describeOwnApi(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    const isOwn = /^\/(?:dashboard-api|auth)\//.test(route.url);
    if (isOwn && route.method !== 'HEAD') routes.push(route);
  });
  let description: ApiDescription | undefined;
  app.decorate('ownApiDescription', () => {
    description ??= describe(routes);
    return description;
  });
}

/** @throws Error if a route has no schema for its response */
function describe(routes: RouteOptions[]): ApiDescription {
  const schemas = createSchemaWriter();
  const paths: ApiDescription['paths'] = {};
  for (const route of routes) {
    const path = describedPath(route);
    const method = String(route.method).toLowerCase();
    paths[path] = { ...paths[path], [method]: describeOperation(route, method, path, schemas) };
  }
  return { openapi: '3.1.0', paths, components: { schemas: schemas.named(), responses: {} } };
}

type ReadableSchema = FastifySchema & {
  body?: Schema;
  querystring?: { required?: string[]; properties?: Record<string, Schema> };
  response?: { 200?: Schema };
};

function describeOperation(
  route: RouteOptions,
  method: string,
  path: string,
  schemas: SchemaWriter,
): Operation {
  const schema = (route.schema ?? {}) as ReadableSchema;
  const { body, querystring, requestType, responseType, responseShape, response } = schema;
  if (!response?.[200] && !responseType) {
    throw new Error(`${method} ${path} needs a schema for its response, or a responseType`);
  }
  return {
    operationId: `${method} ${path}`,
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: ['string', 'number'] },
      })),
      ...Object.entries(querystring?.properties ?? {}).map(([name, each]) => ({
        name,
        in: 'query',
        required: Boolean(querystring?.required?.includes(name)) && !('default' in each),
        schema: schemas.write(each),
      })),
    ],
    ...(requestType && { requestBody: { required: true, content: { [requestType]: {} } } }),
    ...(body && { requestBody: { required: true, content: json(schemas.write(body)) } }),
    responses: {
      200: {
        content: responseType
          ? { [responseType]: responseShape ? { schema: schemas.write(responseShape) } : {} }
          : json(schemas.write(response![200]!)),
      },
    },
  };
}

function json(schema: Schema): object {
  return { 'application/json': { schema } };
}
