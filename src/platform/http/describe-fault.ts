import type { ErrorObject } from 'ajv';
import { characters, lengthOf, lineFaults, nameFaults } from '../values/name.ts';
import { impossiblePhone } from '../values/phone.ts';

/** The parts of a schema that its messages need. */
type FaultySchema = {
  'x-message'?: string;
  'x-name'?: true;
  'x-trimmed'?: true;
  maxLength?: number;
  anyOf?: UnionPart[];
};
type UnionPart = { const?: unknown; type?: string; format?: string };

/** Describes the faults of a field in the terms of JSON. For a name, all faults are listed. */
export function describeFault(error: ErrorObject): string[] {
  const { keyword, data } = error;
  const schema = (error.parentSchema ?? {}) as FaultySchema;
  // The fault of an entry is reported under the name of its array.
  const isEntry = /\/\d+$/.test(error.instancePath);
  if (keyword === 'type' && !isEntry) return [`must be ${anyOf(typeNames(error.params.type))}`];
  if (keyword === 'x-phone') return [impossiblePhone];
  if (typeof data === 'string' && schema['x-name']) return nameFaults(data, schema.maxLength!);
  if (typeof data === 'string' && schema['x-trimmed']) return lineFaults(data, schema.maxLength!);
  if (schema['x-message']) return [schema['x-message']];
  const { rule, found } = describe(error, schema);
  if (isEntry) return [`${rule} in each entry`];
  return [found === undefined ? rule : `${rule}; it has ${count(found)}`];
}

type Fault = {
  rule: string;
  /** The actual number. */
  found?: number;
};

function describe({ keyword, params, data }: ErrorObject, schema: FaultySchema): Fault {
  switch (keyword) {
    case 'type':
      return { rule: `must have ${anyOf(typeNames(params.type))}` };
    case 'minLength':
      if (params.limit === 1) return { rule: 'must not be empty' };
      return {
        rule: `must have at least ${characters(params.limit)}`,
        found: lengthOf(String(data)),
      };
    case 'maxLength':
      return {
        rule: `must have at most ${characters(params.limit)}`,
        found: lengthOf(String(data)),
      };
    case 'minimum':
      return { rule: `must be at least ${params.limit}` };
    case 'maximum':
      return { rule: `must be at most ${params.limit}` };
    case 'maxItems':
      return { rule: `must have at most ${entries(params.limit)}`, found: (data as []).length };
    case 'minItems':
      return { rule: `must have at least ${entries(params.limit)}` };
    case 'uniqueItems':
      return { rule: 'must not have the same entry twice' };
    case 'const':
      return { rule: `must be ${JSON.stringify(params.allowedValue)}` };
    case 'enum':
      return { rule: `must be one of ${params.allowedValues.map(String).join(', ')}` };
    case 'anyOf':
    case 'oneOf':
      return { rule: describeUnion(schema.anyOf ?? []) };
    case 'format':
      return { rule: `must be ${formats[params.format] ?? `a ${params.format}`}` };
    default:
      return { rule: 'is not valid' };
  }
}

function describeUnion(parts: UnionPart[]): string {
  if (parts.length === 0) return 'is not valid';
  const names = parts.map((part) => {
    if ('const' in part) return String(part.const);
    return formats[part.format ?? ''] ?? anyOf(typeNames(part.type));
  });
  const areConstants = parts.every((part) => 'const' in part);
  return areConstants ? `must be one of ${names.join(', ')}` : `must be ${anyOf(names)}`;
}

const formats: Record<string, string> = {
  email: 'an email address',
  'date-time': 'an ISO 8601 time such as 2026-11-24T09:30:00Z',
};

function typeNames(type: unknown): string[] {
  return [type].flat().map((name) => types[String(name)] ?? String(name));
}

const types: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

/** `a`, `a or b`, `a, b or c`. */
function anyOf(names: string[]): string {
  const others = names.slice(0, -1).join(', ');
  return [others, names.at(-1)].filter(Boolean).join(' or ');
}

function entries(limit: number): string {
  return `${count(limit)} ${limit === 1 ? 'entry' : 'entries'}`;
}

const count = (number: number) => number.toLocaleString('en');
