import type { FastifyInstance, RouteOptions } from 'fastify';
import { answerHeaders, sharedAnswers } from './answers.ts';
import { describeFields } from './describe-fields.ts';
import { describeOperation } from './describe-operation.ts';
import { describedPath } from './described-path.ts';
import type { ApiDescription } from './description.ts';
import { describeEvents } from './events.ts';
import { tags } from './operations/operations.ts';
import { createSchemaWriter } from './write-schema.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI 3.1 description of the public API, made from the routes. */
    apiDescription(): ApiDescription;
  }
  interface FastifySchema {
    /** Not part of the public API. */
    hide?: boolean;
  }
}

/**
 * Notes every public route that is added from here on, so that the description can be made from
 * them: the schemas that validate and the settings that authorise are the ones that are described.
 */
export function describeApi(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/api/') && route.method !== 'HEAD') routes.push(route);
  });
  let made: ApiDescription | undefined;
  app.decorate('apiDescription', () => {
    made ??= describe(routes.filter((route) => !route.schema?.hide));
    return made;
  });
}

function describe(routes: RouteOptions[]): ApiDescription {
  const schemas = createSchemaWriter();
  const paths: ApiDescription['paths'] = {};
  for (const route of routes) {
    const path = describedPath(route);
    const methods = [route.method].flat();
    for (const method of methods) {
      const operation = describeOperation(route, method, path, schemas);
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
    }
  }
  const description: ApiDescription = {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: '2',
      summary: 'Business messaging over the WhatsApp Business Platform.',
      description:
        'Send text, media and template messages to phone numbers, keep the contacts beside them, ' +
        'and be told of changes by webhook. HTTPS only; bodies are JSON. Every request carries ' +
        '`Authorization: Bearer <API token>`; the token and its abilities are made in the ' +
        'dashboard, under API management.\n\nOn 429 and 500, wait as long as `Retry-After` says, ' +
        'at least a second and longer each time, and try again. With an `Idempotency-Key` a POST ' +
        'can be repeated without a second effect. A send that is answered 500 with the code ' +
        '`outcome_unknown` may have been sent: without a key, look it up before you repeat it.' +
        '\n\nThe requests of a token are limited per calendar minute and its messages per ' +
        'calendar day (UTC). A 422 names every field that is ' +
        'wrong; so does one for a query parameter that a list does not have. A method that a path ' +
        'does not take is a 404 whose `Allow` header names those that it takes.',
    },
    servers: [
      {
        url: 'https://{host}',
        description: 'Your Parley.',
        variables: { host: { default: 'localhost:8443', description: 'Its name and port.' } },
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
          description:
            'An API token of the tenant. Keep it on servers, and change it from time to time.',
        },
      },
      schemas: schemas.named(),
      responses: sharedAnswers,
      headers: answerHeaders,
    },
  };
  describeFields(description);
  return description;
}
