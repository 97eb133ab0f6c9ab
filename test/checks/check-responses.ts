import { createHash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, afterEach, expect } from 'vitest';
import { describedPath } from '../../src/api-description/described-path.ts';
import { safeHeaders } from '../../src/platform/http/safe-headers.ts';

/** Headers of HTTP itself, which are not part of the API. */
const plainHeaders = [
  'content-type',
  'content-length',
  'content-encoding',
  'vary',
  'date',
  'connection',
  'content-security-policy',
  'keep-alive',
  'strict-transport-security',
  ...Object.keys(safeHeaders),
];

/** Documented, but not in every success. */
const rareHeaders = ['idempotency-replayed', 'accept-ranges'];

const appsChannel = 'fastify.initialization';

const faults: string[] = [];

/**
 * Checks every response below `/api/` of this test file's apps against the API description. An undocumented
 * status, field or header, or a header that a success lacks, fails the current test. Bodies are checked
 * before serialization, which would drop fields that the schema does not name. Successes for the dashboard have at
 * least the fields of the description of their routes, from which the types of the dashboard's calls come.
 */
export function checkResponses(): void {
  const onApp = (message: unknown) => {
    const { fastify: app } = message as { fastify: FastifyInstance };
    const check = createCheck(app);
    const bodies = new WeakMap<FastifyRequest, string>();
    app.addHook('preSerialization', async (request, _reply, body) => {
      if (isPublic(request) || isOwn(request)) bodies.set(request, JSON.stringify(body));
      return body;
    });
    app.addHook('onResponse', async (request, reply) => {
      const body = bodies.get(request);
      if (isPublic(request)) faults.push(...check.ofApi(request, reply, body ?? 'null'));
      // A browser that leaves a page aborts requests before they have a body.
      if (isOwn(request) && body) faults.push(...check.ofOwnPages(request, reply, body));
    });
  };
  subscribe(appsChannel, onApp);
  // Other test files run in the same process after this one.
  afterAll(() => unsubscribe(appsChannel, onApp));
  afterEach(async () => {
    // A response is checked in the event-loop tick after the caller has received it.
    await nextTurn();
    expect(faults.splice(0)).toEqual([]);
  });
}

/** HEAD is part of HTTP, and not an operation of the API. */
function isPublic(request: FastifyRequest): boolean {
  if (request.method === 'HEAD') return false;
  return request.url.startsWith('/api/') && !request.routeOptions.schema?.hide;
}

/** Not those of sign-in: their schemas leave out what better-auth adds. */
function isOwn(request: FastifyRequest): boolean {
  return request.url.startsWith('/dashboard-api/') && request.method !== 'HEAD';
}

type Response = {
  headers?: Record<string, unknown>;
  content?: { 'application/json'?: { schema: object } };
  $ref?: string;
};

// Other tests check the description itself.
const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false });
addFormats.default(ajv);

/** Validators for the apps of all test files of this worker, by their schemas. */
const compiled = new Map<string, ValidateFunction>();

/** Makes validators of schemas that refer to the components of one description. */
function validatorsFor(components: object): (schema: object) => ValidateFunction {
  const shared = createHash('sha1').update(JSON.stringify(components)).digest('hex');
  return (schema) => {
    const key = `${JSON.stringify(schema)}${shared}`;
    const validator = compiled.get(key) ?? ajv.compile({ ...schema, components });
    compiled.set(key, validator);
    return validator;
  };
}

function createCheck(app: FastifyInstance) {
  const validators = new Map<string, ValidateFunction>();
  const ofOwn = once(() => validatorsFor(app.ownApiDescription().components));
  const ofPublic = once(() => validatorsFor(closed(app.apiDescription().components)));

  function validatorOf(place: string, make: () => ValidateFunction): ValidateFunction {
    const validator = validators.get(place) ?? make();
    validators.set(place, validator);
    return validator;
  }

  function ofOwnPages(request: FastifyRequest, reply: FastifyReply, body: string): string[] {
    const description = app.ownApiDescription();
    const path = describedPath(request.routeOptions);
    const operation = description.paths[path]?.[request.method.toLowerCase()];
    const described = operation?.responses[200] as Response | undefined;
    const schema = described?.content?.['application/json']?.schema;
    if (!schema || reply.statusCode !== 200) return [];
    const place = `${request.method} ${path}`;
    return bodyFaults(
      place,
      validatorOf(place, () => ofOwn()(schema)),
      body,
    );
  }

  function ofApi(request: FastifyRequest, reply: FastifyReply, body: string): string[] {
    const description = app.apiDescription();
    const { paths, components } = description;
    const path = describedPath(request.routeOptions);
    const status = reply.statusCode;
    const place = `${request.method} ${path || 'of no route'} ${status}`;
    const error = { schema: { $ref: '#/components/schemas/Error' } };
    const named = request.is404
      ? { headers: { Allow: {}, 'X-Request-Id': {} }, content: { 'application/json': error } }
      : (paths[path]?.[request.method.toLowerCase()]?.responses[status] as Response | undefined);
    if (!named) return [`${place} is not documented`];
    const shared = components.responses as Record<string, Response>;
    const response: Response = named.$ref ? shared[named.$ref.split('/').at(-1)!]! : named;

    const documented = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
    const undocumented = Object.keys(reply.getHeaders()).filter(
      (name) => ![...plainHeaders, ...documented].includes(name),
    );
    const promised = status === 200 ? documented : status === 429 ? ['retry-after'] : [];
    const missing = promised.filter(
      (name) => !reply.hasHeader(name) && !rareHeaders.includes(name),
    );
    const { schema } = response.content!['application/json'] ?? {};
    return [
      ...missing.map((name) => `${place}: the header ${name} is missing`),
      ...undocumented.map((name) => `${place}: the header ${name} is not documented`),
      // A file has none.
      ...(schema
        ? bodyFaults(
            place,
            validatorOf(place, () => ofPublic()(closed(schema))),
            body,
          )
        : []),
    ];
  }

  return { ofApi, ofOwnPages };
}

function bodyFaults(place: string, validate: ValidateFunction, body: string): string[] {
  validate(JSON.parse(body));
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${place}: ${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
  );
}

function once<Result>(make: () => Result): () => Result {
  let made: { result: Result } | undefined;
  return () => {
    made ??= { result: make() };
    return made.result;
  };
}

/** Returns the same schema without any further fields. */
function closed<Schema>(schema: Schema): Schema {
  return closedValue(schema) as Schema;
}

function closedValue(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closedValue);
  if (schema === null || typeof schema !== 'object') return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, each]) => [name, closedValue(each)]),
  );
  const isObject = [inner.type].flat().includes('object');
  const isOpen = isObject && inner.properties && !('additionalProperties' in inner);
  return isOpen ? { ...inner, additionalProperties: false } : inner;
}
