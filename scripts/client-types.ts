import type { ApiDescription, Operation } from '../src/api-description/description.ts';

type Schema = Record<string, unknown>;
type Parameter = { name: string; in: string; required: boolean; schema: Schema } & Described;
type Described = { description?: string };
type Content = { 'application/json'?: { schema: Schema } };
type Response = { content?: Content; headers?: Record<string, unknown>; $ref?: string };

const errorContent = "{ 'application/json': components['schemas']['Error'] }";
const tenantPath = '/api/{tenant}';

/**
 * Writes the types of the TypeScript client in the form that openapi-fetch reads. Paths start after
 * `/api/{tenant}`, because a client belongs to one tenant.
 *
 * @throws Error for an unknown keyword, whose type could be too wide
 */
export function clientTypes(description: ApiDescription): string {
  const paths = Object.entries(description.paths).filter(([path]) => path.startsWith(tenantPath));
  const operations = paths.flatMap(([, methods]) => Object.values(methods));
  return [
    '// Written by scripts/write-openapi.ts from the API description. Do not edit.',
    '',
    'export interface paths {',
    ...paths.map(
      ([path, methods]) => `${quote(path.slice(tenantPath.length))}: {${methodsOf(methods)}};`,
    ),
    '}',
    '',
    'export interface operations {',
    ...operations.map((each) => `${each.operationId}: ${operation(each, description)};`),
    '}',
    '',
    'export interface components {',
    `schemas: ${fields(Object.entries(description.components.schemas).map(([name, schema]) => [name, schema as Schema, true]))};`,
    '}',
    '',
    `interface Failure { headers: { [name: string]: unknown }; content: ${errorContent} }`,
    '',
    '/** Every event that a webhook can receive, discriminated by `event`. */',
    `export type WebhookEvent = ${eventsOf(description)};`,
    '',
  ].join('\n');
}

function methodsOf(methods: Record<string, Operation>): string {
  return Object.entries(methods)
    .map(([method, { operationId }]) => `${method}: operations['${operationId}'];`)
    .join(' ');
}

function operation(described: Operation, description: ApiDescription): string {
  const parameters = (described.parameters as Parameter[]).filter(({ name }) => name !== 'tenant');
  const body = described.requestBody as { content: Content } | undefined;
  return `{
parameters: {${['query', 'header', 'path'].map((location) => placed(parameters, location)).join(' ')} cookie?: never;};
requestBody${body ? ':' : '?:'} ${body ? `{ content: ${contentType(body.content)} }` : 'never'};
responses: {${Object.entries(described.responses)
    .map(([status, response]) => `${status}: ${responseType(response as Response, description)};`)
    .join('\n')}};
}`;
}

function placed(parameters: Parameter[], location: string): string {
  const here = parameters.filter((parameter) => parameter.in === location);
  if (here.length === 0) return `${location}?: never;`;
  const optional = here.every(({ required }) => !required) ? '?' : '';
  return `${location}${optional}: ${fields(here.map(({ name, required, schema, description }) => [name, { ...schema, description }, required]))};`;
}

function responseType(response: Response, description: ApiDescription): string {
  const shared = description.components.responses as Record<string, Response>;
  const { content } = response.$ref ? shared[response.$ref.split('/').at(-1)!]! : response;
  const type = content ? contentType(content) : '{}';
  if (type === errorContent) return 'Failure';
  return `{ headers: { [name: string]: unknown }; content: ${type} }`;
}

function contentType(content: Content): string {
  return `{ 'application/json': ${typeOf(content['application/json']!.schema)} }`;
}

function eventsOf({ webhooks }: ApiDescription): string {
  return Object.values(webhooks as Record<string, { post: { requestBody: { content: Content } } }>)
    .map(({ post }) => typeOf(post.requestBody.content['application/json']!.schema))
    .join(' | ');
}

const known = new Set(
  `type properties patternProperties additionalProperties required items enum const anyOf oneOf $ref
   description examples example default format pattern minimum maximum minLength maxLength minItems
   maxItems uniqueItems`.split(/\s+/),
);

function typeOf(schema: Schema): string {
  for (const keyword of Object.keys(schema)) {
    if (!known.has(keyword)) throw new Error(`unknown keyword ${keyword}`);
  }
  if (schema.$ref) return `components['schemas']['${String(schema.$ref).split('/').at(-1)}']`;
  if ('const' in schema) return JSON.stringify(schema.const).replaceAll('"', "'");
  if (schema.enum) return (schema.enum as unknown[]).map((each) => quote(String(each))).join(' | ');
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (choices) return choices.map(typeOf).join(' | ');
  return [schema.type]
    .flat()
    .map((name) => namedType(String(name), schema))
    .join(' | ');
}

function namedType(name: string, schema: Schema): string {
  switch (name) {
    case 'string':
    case 'boolean':
    case 'null':
      return name;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `(${typeOf(schema.items as Schema)})[]`;
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

function objectType({ properties, required, additionalProperties, patternProperties }: Schema) {
  const needed = new Set(required as string[] | undefined);
  const named = Object.entries((properties ?? {}) as Record<string, Schema>);
  const others = [
    ...Object.entries((patternProperties ?? {}) as Record<string, Schema>).map(
      ([pattern, schema]) => `[name: ${namesOf(pattern)}]: ${typeOf(schema)} | undefined;`,
    ),
    ...(additionalProperties === true ? ['[name: string]: unknown;'] : []),
    ...(additionalProperties && typeof additionalProperties === 'object'
      ? [`[name: string]: ${typeOf(additionalProperties as Schema)};`]
      : []),
  ];
  return fields(
    named.map(([name, schema]) => [name, schema, needed.has(name)]),
    others,
  );
}

/** Converts `^field_[0-9]...$` to a template literal type: `field_` and a number. */
function namesOf(pattern: string): string {
  const [, beginning] = /^\^(\w+_)\[0-9\]/.exec(pattern) ?? [];
  if (!beginning) throw new Error(`unknown pattern of names ${pattern}`);
  return `\`${beginning}\${number}\``;
}

function fields(of: [name: string, schema: Schema, required: boolean][], others: string[] = []) {
  const lines = of.map(([name, schema, required]) => {
    const comment = schema.description ? `/** ${String(schema.description)} */\n` : '';
    const key = /^\w+$/.test(name) ? name : quote(name);
    return `${comment}${key}${required ? '' : '?'}: ${typeOf(schema)};`;
  });
  return `{\n${[...lines, ...others].join('\n')}\n}`;
}

function quote(text: string): string {
  return `'${text}'`;
}
