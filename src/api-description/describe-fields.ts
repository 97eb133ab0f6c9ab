import type { ApiDescription, Operation } from './description.ts';
import { fieldWords } from './field-words.ts';

type Schema = {
  description?: string;
  examples?: unknown[];
  type?: string | string[];
  enum?: unknown[];
  items?: Schema;
  [keyword: string]: unknown;
};
type Content = Record<string, { schema: Schema }>;

/**
 * Gives a description and an example to every field of bodies, answers and parameters that has
 * none of its own.
 *
 * @throws Error when a field has no words: nobody could know what it is for
 */
export function describeFields({ components, paths, webhooks }: ApiDescription): void {
  for (const [title, schema] of Object.entries(components.schemas))
    complete([title], schema as Schema);
  const operations = [...Object.values(paths), ...Object.values(webhooks as typeof paths)];
  for (const operation of operations.flatMap((each) => Object.values(each))) {
    describeOperationFields(operation);
  }
}

function describeOperationFields(operation: Operation): void {
  const { operationId, requestBody, responses, parameters } = operation;
  for (const parameter of (parameters ?? []) as (Schema & { name: string; schema: Schema })[]) {
    if (parameter.description && parameter.example !== undefined) continue;
    const { description, examples } = withWords([operationId, parameter.name], {
      ...parameter.schema,
      ...(parameter.description && { description: parameter.description }),
    });
    Object.assign(parameter, { description, example: examples?.[0] });
  }
  const bodies = [requestBody, ...Object.values(responses)] as (
    | { content?: Content }
    | undefined
  )[];
  for (const { schema } of bodies.flatMap((each) => Object.values(each?.content ?? {}))) {
    complete([operationId], schema);
  }
}

/** Completes the fields within a schema, at every depth. */
function complete(path: string[], schema: Schema): void {
  for (const keyword of ['properties', 'patternProperties']) {
    const fields = schema[keyword] as Record<string, Schema> | undefined;
    for (const [name, field] of Object.entries(fields ?? {})) {
      const place = [...path, name];
      Object.assign(field, withWords(place, field));
      complete(place, field);
    }
  }
  if (schema.items) complete(path, schema.items);
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    for (const each of (schema[keyword] as Schema[] | undefined) ?? []) complete(path, each);
  }
}

function withWords(path: string[], schema: Schema): Pick<Schema, 'description' | 'examples'> {
  const words = wordsFor(path, schema);
  const description = schema.description ?? words?.description;
  const examples = schema.examples ?? examplesOf(schema, words?.example);
  if (!description) throw new Error(`the field ${path.join('.')} has no description`);
  if (!examples && needsExample(schema)) {
    throw new Error(`the field ${path.join('.')} has no example`);
  }
  return { description, ...(examples && { examples }) };
}

function wordsFor(path: string[], schema: Schema) {
  if (path.at(-1) === 'data') {
    if (schema.$ref) return fieldWords.record;
    if (schema.type === 'array') return fieldWords.records;
  }
  const ends = path.map((_, index) => path.slice(index).join('.'));
  return fieldWords[ends.find((end) => fieldWords[end]) ?? ''];
}

function examplesOf(schema: Schema, example: unknown): unknown[] | undefined {
  return example === undefined ? schema.enum?.slice(0, 1) : [example];
}

/** A record has an example as a whole, beside its schema; a constant is its own. */
function needsExample({ $ref, type, items, const: constant }: Schema): boolean {
  const isOfRecords = items?.$ref !== undefined || items?.type === 'object';
  return $ref === undefined && type !== 'object' && constant === undefined && !isOfRecords;
}
