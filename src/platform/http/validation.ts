import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import { badRequest, type FieldErrors, invalid } from '../../errors.ts';
import { isVisible, trimName } from '../name.ts';
import { impossiblePhone, isImpossible } from '../phone.ts';

/** Levels of lists and objects in a body; the deepest of ours has four. */
const deepest = 32;

const unstorable = 'contains characters that are not valid text';

/**
 * Makes validators of route schemas that tell every fault of a request at once, in plain words, by
 * field. A schema may carry its own words as `x-message`. Text in bodies keeps its type; of query
 * parameters, which are always text, whole numbers are read.
 *
 * A schema is compiled by the first request that needs it: that takes it a millisecond, and all of
 * them at the start would take a quarter of a second.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  const ajv = createAjv();
  return ({ schema, httpPart }) => {
    let validate: ValidateFunction | undefined;
    return (data: unknown) => {
      validate ??= ajv.compile(schema);
      const error = check(validate, data, httpPart);
      return error ? { error } : { value: data };
    };
  };
}

function createAjv(): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    useDefaults: true,
  });
  addFormats.default(ajv);
  ajv.addKeyword({
    keyword: 'x-phone',
    type: 'string',
    validate: (_asked: true, text: string) => !isImpossible(text),
  });
  ajv.addKeyword({
    keyword: 'x-name',
    type: 'string',
    modifying: true,
    validate: (_asked, text, _schema, place) => {
      if (place) place.parentData[place.parentDataProperty] = trimName(text);
      return isVisible(text);
    },
  });
  ajv.addKeyword({
    keyword: 'x-trimmed',
    type: 'string',
    modifying: true,
    validate: (_asked, text, _schema, place) => {
      if (place)
        place.parentData[place.parentDataProperty] = isVisible(text) ? trimName(text) : null;
      return true;
    },
  });
  return ajv;
}

function check(validate: ValidateFunction, data: unknown, httpPart: string | undefined) {
  if (httpPart === 'body' && (data === null || typeof data !== 'object' || Array.isArray(data))) {
    return badRequest('The body must be a JSON object.');
  }
  const errors: FieldErrors = {};
  if (httpPart === 'querystring') readQuery(data as Query, validate.schema as QuerySchema, errors);
  const valid = validate(data);
  if (!valid) for (const error of validate.errors ?? []) describe(error, errors);
  refuseUnstorable(data as object, errors);
  return Object.keys(errors).length > 0 ? invalid(errors) : undefined;
}

type Query = Record<string, unknown>;
type QuerySchema = { properties: Record<string, { type?: string }> };

/**
 * Reads the whole numbers of a query, where they are written in digits: `1e1`, `0x1` and ` 1` are none.
 * What some languages write for a list, `page[]=1`, would be passed over as another field.
 */
function readQuery(query: Query, { properties }: QuerySchema, errors: FieldErrors): void {
  for (const [name, value] of Object.entries(query)) {
    const [field = ''] = name.split('[');
    if (!Object.hasOwn(properties, field)) continue;
    if (name !== field) add(errors, field, 'must be sent once, without brackets');
    else if (properties[field]!.type === 'integer' && /^-?\d+$/.test(String(value))) {
      query[field] = Number(value);
    }
  }
}

function describe(error: ErrorObject, into: FieldErrors): void {
  const missing = error.keyword === 'required' ? error.params.missingProperty : undefined;
  const field = fieldName(error.instancePath, missing);
  // The verdict of a union on its parts is told by the union itself.
  if (/\/(anyOf|oneOf)\/\d+\//.test(error.schemaPath)) return;
  const words = missing ? 'is required' : (ownWords(error) ?? plainWords(error));
  add(into, field, words);
}

function ownWords(error: ErrorObject): string | undefined {
  if (error.keyword === 'type' || error.keyword === 'x-phone') return undefined;
  return (error.parentSchema as { 'x-message'?: string } | undefined)?.['x-message'];
}

function plainWords({ keyword, params, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `must be ${typeNames(params.type)}`;
    case 'minLength':
      return params.limit === 1
        ? 'must not be empty'
        : `must have at least ${params.limit} characters`;
    case 'maxLength':
      return `must have at most ${params.limit.toLocaleString('en')} characters`;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'maxItems':
      return `must have at most ${params.limit} entries`;
    case 'minItems':
      return `must have at least ${params.limit} entries`;
    case 'uniqueItems':
      return 'must not hold the same entry twice';
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'enum':
      return `must be one of ${params.allowedValues.map(String).join(', ')}`;
    case 'anyOf':
    case 'oneOf':
      return unionWords(parentSchema as { anyOf?: UnionPart[] } | undefined);
    case 'x-phone':
      return impossiblePhone;
    case 'format':
      return params.format === 'email' ? 'must be an email address' : `must be a ${params.format}`;
    default:
      return 'is not valid';
  }
}

type UnionPart = { const?: unknown; type?: string };

function unionWords(schema: { anyOf?: UnionPart[] } | undefined): string {
  const parts = schema?.anyOf ?? [];
  const words = parts.map((part) => ('const' in part ? String(part.const) : typeNames(part.type)));
  return words.length > 0 ? `must be one of ${words.join(', ')}` : 'is not valid';
}

function typeNames(type: unknown): string {
  const names: Record<string, string> = {
    string: 'text',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    null: 'null',
  };
  return [type]
    .flat()
    .map((name) => names[String(name)] ?? String(name))
    .join(' or ');
}

function add(errors: FieldErrors, field: string, words: string): void {
  // A field may be called `constructor`, which every object has.
  const messages = Object.hasOwn(errors, field) ? errors[field]! : [];
  errors[field] = messages;
  if (!messages.includes(words)) messages.push(words);
}

/**
 * PostgreSQL takes neither NUL nor half of a surrogate pair in text. And what is nested without end
 * would use up the stack of whoever goes through it, here and later. One fault of a field is told, by
 * the field's name: the names below it can be long, and repeating them for each of its faults would
 * make an answer of gigabytes.
 */
function refuseUnstorable(data: object, errors: FieldErrors): void {
  for (const [field, value] of Object.entries(data)) {
    const fault = faultIn(field, 0) ?? faultIn(value, 0);
    if (fault) add(errors, isStorable(field) ? field : 'body', fault);
  }
}

function faultIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : unstorable;
  if (value === null || typeof value !== 'object') return undefined;
  if (depth === deepest) return 'is nested too deeply';
  for (const [key, each] of Object.entries(value)) {
    const fault = faultIn(key, depth) ?? faultIn(each, depth + 1);
    if (fault) return fault;
  }
  return undefined;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** `/contact/firstname` as `contact.firstname`; an entry of a list goes by the list's name. */
function fieldName(path: string, last?: string): string {
  const parts = path.split('/').filter((part) => part !== '' && !/^\d+$/.test(part));
  if (last) parts.push(last);
  return parts.map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~')).join('.') || 'body';
}
