import type { FastifySchema, RouteOptions } from 'fastify';
import type { FieldErrors } from '../platform/errors/api-error.ts';
import type { Fault } from '../platform/errors/fault.ts';
import { doc } from '../platform/http/field-schema.ts';
import { required, unknownParameter } from '../platform/http/validation.ts';
import type { Operation } from './description.ts';
import { errorResponses, fileResponses, type ResponseTraits, successHeaders } from './responses.ts';
import { exampleOf, type Schema, type SchemaWriter } from './write-schema.ts';

declare module 'fastify' {
  interface FastifySchema {
    /** Leaves the route out of the API description. */
    hide?: boolean;
    operationId?: string;
    tags?: readonly string[];
    summary?: string;
    description?: string;
    /** The path parameters other than `tenant` and `id`. */
    pathParameters?: Record<string, object>;
    /** The form of a `multipart/form-data` body, which the route reads itself. */
    form?: object;
    /** The faults in the example of a 422, if the schemas do not imply them. */
    faults?: FieldErrors;
    /** The other parts of an operation without schemas, in the terms of OpenAPI. */
    operation?: { responses: Record<string, object>; [part: string]: unknown };
  }
}

/**
 * Describes the operation of a route: schemas, texts, abilities and responses.
 *
 * @throws Error if the route has no operationId, tags or summary
 */
export function describeOperation(
  route: RouteOptions,
  method: string,
  path: string,
  schemas: SchemaWriter,
): Operation {
  const schema = (route.schema ?? {}) as ReadableSchema;
  const { operationId, tags, summary, description, body, form, querystring, response } = schema;
  if (!operationId || !tags || !summary) {
    throw new Error(`${method} ${path} needs operationId, tags and summary in its schema`);
  }
  const names = { operationId, tags, summary };
  const parameters = pathParameters(path, schema.pathParameters, schemas);
  if (schema.operation) return { ...names, description, parameters, ...schema.operation };

  const abilities = [route.config?.ability ?? []].flat();
  const also = route.config?.alsoAbility;
  const traits: ResponseTraits = {
    abilities,
    hasInput: [body, form, querystring].some((input) => input !== undefined),
    isPost: method === 'POST' && route.config?.takesKey !== false,
    isSend: route.config?.sends !== undefined,
    faults: schema.faults ?? faultsOf(schema),
  };
  const { description: success, ...content } = response?.[200] ?? {};
  return {
    ...names,
    description: [description, abilityText(abilities, also)].filter(Boolean).join('\n\n'),
    'x-abilities': also ? [...abilities, also] : abilities,
    parameters: [
      ...parameters,
      ...queryParameters(querystring, schemas),
      ...(traits.isPost ? [idempotencyKey] : []),
    ],
    ...(body && {
      requestBody: { required: true, content: json(schemas.write(body), examplesOf(body)) },
    }),
    ...(form && {
      requestBody: {
        required: true,
        content: { 'multipart/form-data': { schema: schemas.write(form) } },
      },
    }),
    responses: {
      ...(schema.responseType
        ? fileResponses(schema.responseType)
        : {
            200: {
              description: success,
              headers: successHeaders(traits),
              content: json(schemas.write(content), { example: exampleOf(content) }),
            },
          }),
      ...errorResponses(traits),
    },
  };
}

type ObjectSchema = Schema & { required?: string[]; properties?: Record<string, Schema> };
type ReadableSchema = FastifySchema & {
  body?: ObjectSchema;
  form?: ObjectSchema;
  querystring?: ObjectSchema;
  response?: { 200?: Schema };
};

function json(schema: Schema, examples: object): object {
  return { 'application/json': { schema, ...examples } };
}

/** Leaves out optional fields of sends: a dry run sends nothing, and `from` is a number of another tenant. */
function examplesOf(body: Schema): object {
  const named = body['x-examples'];
  if (named) return { examples: named };
  const { from, reference, dry_run, ...example } = exampleOf(body) as Record<string, unknown>;
  return { example };
}

function abilityText(abilities: readonly string[], also: string | undefined): string {
  if (also) return `Needs the abilities \`${abilities[0]}\` and \`${also}\`.`;
  const names = abilities.map((ability) => `\`${ability}\``);
  return names.length === 1
    ? `Needs the ability ${names[0]}.`
    : `Needs one of the abilities ${names.join(', ')}.`;
}

const commonParameters: Record<string, object> = {
  tenant: { type: 'string', ...doc('The tenant’s identifier.', 'demo') },
  id: { type: 'integer', minimum: 1, ...doc('Id of the record.', 42) },
};

function pathParameters(
  path: string,
  own: FastifySchema['pathParameters'],
  schemas: SchemaWriter,
): object[] {
  const known = { ...commonParameters, ...own };
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    parameter(name, 'path', true, schemas.write(known[name] ?? {})),
  );
}

function queryParameters(query: ObjectSchema | undefined, schemas: SchemaWriter): object[] {
  return Object.entries(query?.properties ?? {}).map(([name, schema]) =>
    parameter(name, 'query', isRequired(query!, name), schemas.write(schema)),
  );
}

/** TypeBox requires the parameters with a default too. */
function isRequired({ required, properties }: ObjectSchema, name: string): boolean {
  return (required ?? []).includes(name) && !('default' in properties![name]!);
}

function parameter(name: string, location: string, required: boolean, schema: Schema): object {
  const { description, examples: _, ...rest } = schema;
  return { name, in: location, required, description, schema: rest, example: exampleOf(schema) };
}

const idempotencyKey = parameter('Idempotency-Key', 'header', false, {
  type: 'string',
  pattern: '^[\\x21-\\x7e]{1,255}$',
  ...doc(
    'A unique ASCII text without spaces, such as a random UUID, that identifies this request. A ' +
      'retry with the same key and body within a day has no second effect and gets the first response. ' +
      'The same key with another body is a 422. A key belongs to the token: with another token it is a new request.',
    '0b1f9d1e-6c0e-4b7e-9f0a-2f4a1c3d5e7f',
  ),
});

/** Derives the faults of a request without any fields from its schemas. */
function faultsOf({ body: json, form, querystring }: ReadableSchema): FieldErrors {
  const body = json ?? form;
  if (body?.required?.length) {
    return Object.fromEntries(body.required.map((field) => [field, [required]]));
  }
  const needed = Object.keys(querystring?.properties ?? {}).find((name) =>
    isRequired(querystring!, name),
  );
  if (needed) return { [needed]: [required] };
  if (querystring?.additionalProperties === false && !querystring.properties?.page) {
    return { page: [unknownParameter(querystring)] };
  }
  const fields = Object.entries({ ...querystring?.properties, ...body?.properties });
  const [name, schema] = fields.find(([, each]) => each['x-message']) ?? [];
  if (name) return { [name]: [schema!['x-message'] as Fault] };
  return querystring ? { page: [unknownParameter(querystring)] } : {};
}
