import { ownPrefixes } from '../src/api-description/describe-own-api.ts';
import type { ApiDescription, Operation } from '../src/api-description/description.ts';
import { fields, quote, type Schema, typeOf } from './schema-types.ts';

type Parameter = { name: string; in: string; required: boolean; schema: Schema } & Described;
type Described = { description?: string };
type Content = Record<string, { schema?: Schema }>;
type Response = { content?: Content; headers?: Record<string, unknown>; $ref?: string };

const errorContent = "{ 'application/json': components['schemas']['Error'] }";
/** A form is given as an object of the browser's class, which `fetch` sends as it is. */
const form = 'multipart/form-data';
const tenantPath = '/api/{tenant}';

/**
 * Writes the types of the TypeScript client in the form that openapi-fetch reads. Paths start after
 * `/api/{tenant}`, because a client belongs to one tenant.
 *
 * @throws Error for an unknown keyword, whose type could be too wide
 */
export function clientTypes(description: ApiDescription): string {
  return [
    heading,
    pathsOf('paths', description, tenantPath),
    operationsOf(description, tenantPath),
    componentsOf(description),
    `interface Failure { headers: { [name: string]: unknown }; content: ${errorContent} }`,
    '',
    '/** Every event that a webhook can receive, discriminated by `event`. */',
    "export type WebhookEvent = components['schemas']['WebhookEvent'];",
    '',
  ].join('\n');
}

/** Writes the types of the calls of our own pages. Paths start after the prefix of their routes. */
export function ownTypes(description: ApiDescription): string {
  return [
    heading,
    pathsOf('TenantPaths', description, ownPrefixes.tenant),
    pathsOf('AuthPaths', description, ownPrefixes.auth),
    operationsOf(description, '/'),
    componentsOf(description),
  ].join('\n');
}

const heading = '// Written by scripts/write-openapi.ts from the API description. Do not edit.\n';

function pathsOf(name: string, { paths }: ApiDescription, prefix: string): string {
  const lines = Object.entries(paths)
    .filter(([path]) => path.startsWith(prefix))
    .map(([path, methods]) => `${quote(path.slice(prefix.length))}: {${methodsOf(methods)}};`);
  return [`export interface ${name} {`, ...lines, '}', ''].join('\n');
}

function operationsOf(description: ApiDescription, prefix: string): string {
  const operations = Object.entries(description.paths)
    .filter(([path]) => path.startsWith(prefix))
    .flatMap(([, methods]) => Object.values(methods));
  const lines = operations.map(
    (each) => `${nameOf(each.operationId)}: ${operation(each, description)};`,
  );
  return ['export interface operations {', ...lines, '}', ''].join('\n');
}

function componentsOf({ components }: ApiDescription): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]): [string, Schema, boolean] => [name, schema as Schema, true],
  );
  return ['export interface components {', `schemas: ${fields(schemas)};`, '}', ''].join('\n');
}

const nameOf = (operationId: string) =>
  /^\w+$/.test(operationId) ? operationId : quote(operationId);

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
  const types = Object.entries(content).map(
    ([mediaType, { schema }]) =>
      `${quote(mediaType)}: ${mediaType === form ? 'FormData' : schema ? typeOf(schema) : 'Blob'}`,
  );
  return `{ ${types.join('; ')} }`;
}
