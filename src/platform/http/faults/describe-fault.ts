import type { ErrorObject } from 'ajv';
import { type Fault, fault } from '../../errors/fault.ts';
import { impossiblePhone } from '../../values/phones/phone.ts';
import {
  characters,
  lengthOf,
  lineFaults,
  nameFaults,
  notEmpty,
  tooLong,
} from '../../values/texts/name.ts';

/** The parts of a schema that its messages need. */
type FaultySchema = {
  'x-message'?: Fault;
  'x-name'?: true;
  'x-trimmed'?: true;
  maxLength?: number;
  anyOf?: UnionPart[];
};
type UnionPart = {
  const?: unknown;
  type?: string;
  format?: string;
  required?: string[];
  anyOf?: UnionPart[];
};

/** Describes the faults of a field in the terms of JSON. For a name, all faults are listed. */
export function describeFault(error: ErrorObject): Fault[] {
  const { keyword, data } = error;
  const schema = (error.parentSchema ?? {}) as FaultySchema;
  // The fault of an entry is reported under the name of its array.
  const isEntry = /\/\d+$/.test(error.instancePath);
  if (keyword === 'type' && !isEntry) return [ofType(anyOf(typeNames(error.params.type)))];
  if (keyword === 'x-phone') return [impossiblePhone];
  if (typeof data === 'string' && schema['x-name']) return nameFaults(data, schema.maxLength!);
  if (typeof data === 'string' && schema['x-trimmed']) return lineFaults(data, schema.maxLength!);
  if (schema['x-message']) return [schema['x-message']];
  return [isEntry ? describeEntry(error, schema) : describe(error, schema)];
}

function describe({ keyword, params, data }: ErrorObject, schema: FaultySchema): Fault {
  const { limit: min = 0, limit: max = 0 } = params;
  switch (keyword) {
    case 'minLength':
      return min === 1 ? notEmpty : tooShort(min, lengthOf(String(data)));
    case 'maxLength':
      return tooLong(max, lengthOf(String(data)));
    case 'minimum':
      return fault('too_small', `must be at least ${min}`, { min });
    case 'maximum':
      return fault('too_great', `must be at most ${max}`, { max });
    case 'maxItems':
      return fault('too_many_entries', `must have at most ${entries(max)}; it has {found}`, {
        max,
        found: (data as []).length,
      });
    case 'minItems':
      return fault('too_few_entries', `must have at least ${entries(min)}`, { min });
    case 'uniqueItems':
      return fault('same_entry_twice', 'must not have the same entry twice');
    case 'const':
      return ofType(JSON.stringify(params.allowedValue));
    case 'enum':
      return oneOf(params.allowedValues.map(String));
    case 'anyOf':
    case 'oneOf':
      return describeUnion(schema.anyOf ?? []);
    case 'format':
      return ofType(formats[params.format] ?? `a ${params.format}`);
    default:
      return notValid;
  }
}

/** The fault of an entry of an array, without what was found: several entries can have it. */
function describeEntry(error: ErrorObject, schema: FaultySchema): Fault {
  const { keyword, params } = error;
  const { limit: min = 0, limit: max = 0 } = params;
  if (keyword === 'minLength' && min !== 1) {
    return fault('entry_too_short', `must have at least ${characters(min)} in each entry`, { min });
  }
  if (keyword === 'maxLength') {
    return fault('entry_too_long', `must have at most ${characters(max)} in each entry`, { max });
  }
  if (keyword === 'type') {
    const type = anyOf(typeNames(params.type));
    return fault('entry_of_wrong_type', 'must have {type} in each entry', { type });
  }
  const { text: rule } = describe(error, schema);
  return fault('entry_not_valid', '{rule} in each entry', { rule });
}

function describeUnion(union: UnionPart[]): Fault {
  const parts = union.flatMap((part) => part.anyOf ?? part);
  if (parts.length === 0) return notValid;
  const names = parts.map((part) => {
    if ('const' in part) return String(part.const);
    // Without its fields, each of several objects would have the same name.
    if (part.required) return `an object (${part.required.join(', ')})`;
    return formats[part.format ?? ''] ?? anyOf(typeNames(part.type));
  });
  return parts.every((part) => 'const' in part) ? oneOf(names) : ofType(anyOf(names));
}

const notValid = fault('not_valid', 'is not valid');

function ofType(type: string): Fault {
  return fault('wrong_type', 'must be {type}', { type });
}

function oneOf(names: string[]): Fault {
  return fault('not_one_of', 'must be one of {known}', { known: names.join(', ') });
}

function tooShort(min: number, found: number): Fault {
  return fault('too_short', `must have at least ${characters(min)}; it has {found}`, {
    min,
    found,
  });
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
  return `${limit.toLocaleString('en')} ${limit === 1 ? 'entry' : 'entries'}`;
}
