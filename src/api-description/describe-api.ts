import type { FastifyInstance, RouteOptions } from 'fastify';
import { describeOperation } from './describe-operation.ts';
import { describedPath } from './described-path.ts';
import type { ApiDescription } from './description.ts';
import { describeEvents } from './events.ts';
import { errorSchema, responseHeaders, sharedResponses } from './responses.ts';
import { createSchemaWriter } from './write-schema.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI 3.1 description of the public API, generated from the routes. */
    apiDescription(): ApiDescription;
  }
}

const tags = [
  { name: 'Messages', description: 'Send messages, look up their status, and list them.' },
  { name: 'Conversations', description: 'The messages of one person, and who answers. Read only.' },
  { name: 'Media', description: 'Files of messages, to download and to upload.' },
  { name: 'Contacts', description: 'The people you write to.' },
  { name: 'Statuses', description: 'Stages of your contacts, such as Lead or Customer.' },
  { name: 'Sources', description: 'Where your contacts came from.' },
  { name: 'Groups', description: 'Sets of contacts.' },
  { name: 'Templates', description: 'Messages that the network approved. Read only.' },
  { name: 'Bots', description: 'Automatic replies to inbound messages. Read only.' },
  { name: 'Events', description: 'What happened, in order.' },
  { name: 'Store webhooks', description: 'The addresses to which online stores post events.' },
];

const info = {
  title: 'Parley',
  version: '2',
  summary: 'Business messaging over the WhatsApp Business Platform.',
  description:
    'Send text, media and template messages to phone numbers, manage contacts, and receive changes ' +
    'by webhook. HTTPS only; bodies are JSON. Send `Authorization: Bearer <API token>` with every ' +
    'request. Tokens and their abilities are managed in the dashboard, on the page API.\n\n' +
    'After a 429 or 500, wait for `Retry-After` seconds, or at least one second and longer each ' +
    'time, then retry. With an `Idempotency-Key`, a POST can be retried without a second effect. A ' +
    'send that fails with 500 and the code `outcome_unknown` may have been sent: without a key, look ' +
    'up the message before you retry.\n\n' +
    'The requests of a token are limited per calendar minute, its messages per calendar day (UTC). A ' +
    '422 names every field that is wrong, and every query parameter that a list does not have. If a ' +
    'path does not take a method, the response is 404 with the accepted methods in `Allow`.',
};

/**
 * Collects every public route that is added after this call. The description is generated from their
 * schemas and abilities.
 */
export function describeApi(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    const isPublic = route.url.startsWith('/api/') && !route.schema?.hide;
    if (isPublic && route.method !== 'HEAD') routes.push(route);
  });
  let description: ApiDescription | undefined;
  app.decorate('apiDescription', () => {
    description ??= describe(routes);
    return description;
  });
}

function describe(routes: RouteOptions[]): ApiDescription {
  const schemas = createSchemaWriter();
  schemas.write(errorSchema);
  const paths: ApiDescription['paths'] = {};
  for (const route of routes) {
    const path = describedPath(route);
    for (const method of [route.method].flat()) {
      const operation = describeOperation(route, method, path, schemas);
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
    }
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [
      {
        url: 'https://{host}',
        description: 'Your Parley.',
        variables: { host: { default: 'localhost:8443', description: 'Its host name and port.' } },
      },
    ],
    security: [{ token: [] }],
    tags,
    paths,
    webhooks: describeEvents(schemas),
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token of the tenant. Keep it on servers and rotate it regularly.',
        },
      },
      schemas: schemas.named(),
      responses: sharedResponses,
      headers: responseHeaders,
    },
  };
}
