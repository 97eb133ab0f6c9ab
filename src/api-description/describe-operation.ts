import type { FastifySchema, RouteOptions } from 'fastify';
import { unknownParameter } from '../platform/http/validation.ts';
import { type AnswerTraits, errorAnswers, errorSchema, successHeaders } from './answers.ts';
import type { Operation } from './description.ts';
import { operations, type Words } from './operations/operations.ts';
import type { SchemaWriter } from './write-schema.ts';

/**
 * One operation of the description: shapes, ability and answers from the route itself, words and
 * examples from the lists in `operations/`.
 *
 * @throws Error when a route has no words, for then nobody could read what it is for
 */
export function describeOperation(
  route: RouteOptions,
  method: string,
  path: string,
  schemas: SchemaWriter,
): Operation {
  const place = `${method} ${path}`;
  const words = operations[place];
  if (!words) throw new Error(`${place} has no words in src/api-description/operations/`);
  schemas.write(errorSchema);
  const { summary, description, tag, operationId } = words;
  const common = { operationId, tags: [tag], summary };
  if (!path.startsWith('/api/{tenant}/')) {
    return {
      ...common,
      description,
      security: [],
      parameters: pathParameters(path),
      requestBody: { required: true, content: words.content! },
      responses: words.answers!,
    };
  }
  const schema = (route.schema ?? {}) as ReadableSchema;
  const needed = [route.config?.ability ?? []].flat();
  const traits: AnswerTraits = {
    needed,
    hasInput: schema.body !== undefined || schema.querystring !== undefined,
    isPost: method === 'POST',
    isSend: route.config?.countedBySend === true,
    faults: words.faults ?? faultsOf(schema),
  };
  return {
    ...common,
    description: [description, abilityWords(needed)].filter(Boolean).join('\n\n'),
    'x-abilities': needed,
    parameters: [
      ...pathParameters(path),
      ...queryParameters(schema, schemas),
      ...(traits.isPost ? [idempotencyKey] : []),
    ],
    ...(schema.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemas.write(schema.body), ...examples(words) } },
      },
    }),
    responses: {
      200: {
        description: words.success ?? 'Done.',
        headers: successHeaders(traits),
        content: {
          'application/json': {
            schema: schemas.write(schema.response?.[200] ?? {}),
            example: words.answer,
          },
        },
      },
      ...errorAnswers(traits),
    },
  };
}

type ObjectSchema = {
  required?: string[];
  properties?: Record<string, { 'x-message'?: string; default?: unknown; description?: string }>;
};
type ReadableSchema = FastifySchema & {
  body?: ObjectSchema;
  querystring?: ObjectSchema;
  response?: { 200?: object };
};

function abilityWords(needed: readonly string[]): string {
  const names = needed.map((ability) => `\`${ability}\``);
  return names.length === 1
    ? `Needs the ability ${names[0]}.`
    : `Needs any one of the abilities ${names.join(', ')}.`;
}

function examples({ request }: Words): object {
  if (!request) return {};
  return Array.isArray(request)
    ? { examples: Object.fromEntries(request.map(({ name, ...each }) => [name, each])) }
    : { example: request };
}

const pathFields: Record<string, object> = {
  tenant: {
    description: 'The tenant’s own identifier.',
    schema: { type: 'string' },
    example: 'demo',
  },
  id: {
    description: 'Id of the record.',
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
  message_id: {
    description:
      'The `message_id` of the response to the send, URL-encoded or as it is; or `id:` and its `id`, such as `id:42`.',
    schema: { type: 'string' },
    example: 'wamid.HBgLMTQxNTU1NTAxMjM=',
  },
  webhook_id: {
    description: 'The last part of the address that the dashboard shows for the store.',
    schema: { type: 'string' },
    example: 'k3v9q2m8r7t1x5z0',
  },
};

function pathParameters(path: string): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    ...pathFields[name!],
  }));
}

function queryParameters({ querystring }: ReadableSchema, schemas: SchemaWriter): object[] {
  return Object.entries(querystring?.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = schemas.write(schema);
    return { name, in: 'query', required: false, description, schema: rest };
  });
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Text of your own, in ASCII and without spaces, that names this one request, such as a random ' +
    'UUID. A repeat with the same key and body within a day has no second effect and gets the ' +
    'first answer.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  example: '0b1f9d1e-6c0e-4b7e-9f0a-2f4a1c3d5e7f',
};

/** What a request with nothing in it is told, as far as the schema alone says. */
function faultsOf({ body, querystring }: ReadableSchema): Record<string, string[]> {
  if (body?.required?.length) {
    return Object.fromEntries(body.required.map((field) => [field, ['is required']]));
  }
  const fields = Object.entries({ ...querystring?.properties, ...body?.properties });
  const [name, schema] = fields.find(([, each]) => each['x-message']) ?? [];
  if (name) return { [name]: [schema!['x-message']!] };
  return querystring ? { page: [unknownParameter(querystring)] } : {};
}
