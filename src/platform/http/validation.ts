import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import { badRequest, type FieldErrors, invalid } from '../errors/api-error.ts';
import { type Fault, fault } from '../errors/fault.ts';
import { isImpossible } from '../values/phones/phone.ts';
import { isVisible, trimName } from '../values/texts/name.ts';
import { unstorableFault } from '../values/texts/text-faults.ts';
import { compileOnce } from './compile-once.ts';
import { describeFault } from './faults/describe-fault.ts';

/** The maximum depth of arrays and objects in a body. The deepest body of the API has four levels. */
const maxDepth = 32;
/** The maximum number of messages about one field. An array of thousands of bad entries needs no more. */
const maxMessages = 10;

export const required = fault('required', 'is required');
const tooDeep = fault('too_deep', 'must not be nested more than {max} levels deep', {
  max: maxDepth,
});

const ajv = createAjv();
const compile = compileOnce((schema: object) => ajv.compile(schema));

/**
 * Makes validators of route schemas that report every fault of a request together, by field. A schema
 * can have a message of its own as `x-message`. Values in bodies keep their type. Query parameters are
 * always strings, so integers are read from them.
 *
 * A query parameter that the schema does not name is refused if the schema has
 * `additionalProperties: false`, as those of the API's lists have.
 *
 * A schema is compiled by the first request that needs it, which takes a millisecond. All of them at
 * the start would take a quarter of a second.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  return ({ schema, httpPart }) => {
    let validate: ValidateFunction | undefined;
    return (data: unknown) => {
      validate ??= compile(schema);
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
    // The schemas are our own. To check them, Ajv compiles the schema of schemas first.
    validateSchema: false,
  });
  addFormats.default(ajv);
  ajv.addFormat('date-time', { type: 'string', validate: isTime });
  ajv.addKeyword({
    keyword: 'x-phone',
    type: 'string',
    validate: (_schemaValue: true, text: string) => !isImpossible(text),
  });
  ajv.addKeyword({
    keyword: 'x-name',
    type: 'string',
    modifying: true,
    validate: (_schemaValue, text, _schema, context) => {
      if (!isVisible(text)) return false;
      if (context) context.parentData[context.parentDataProperty] = trimName(text);
      return true;
    },
  });
  ajv.addKeyword({
    keyword: 'x-trimmed',
    type: 'string',
    modifying: true,
    validate: (_schemaValue, text, _schema, context) => {
      if (context)
        context.parentData[context.parentDataProperty] = isVisible(text) ? trimName(text) : null;
      return true;
    },
  });
  // PHP writes an empty object as `[]`, so a client could not write back what it has read.
  ajv.addKeyword({
    keyword: 'x-objects',
    type: 'object',
    modifying: true,
    before: 'properties',
    validate: (names: string[], fields: Record<string, unknown>) => {
      for (const name of names) {
        const value = fields[name];
        if (Array.isArray(value) && value.length === 0) fields[name] = {};
      }
      return true;
    },
  });
  return ajv;
}

const dateTime = addFormats.default.get('date-time') as { validate(text: string): boolean };

/** The format admits leap seconds and offsets without minutes, which JavaScript does not read. */
function isTime(text: string): boolean {
  return dateTime.validate(text) && !Number.isNaN(Date.parse(text));
}

function check(validate: ValidateFunction, data: unknown, httpPart: string | undefined) {
  if (httpPart === 'body' && (data === null || typeof data !== 'object' || Array.isArray(data))) {
    if (data === null)
      return badRequest(
        fault('body_missing', 'The body is missing or null; it must be a JSON object.'),
      );
    const found = Array.isArray(data) ? 'an array' : `a ${typeof data}`;
    return badRequest(
      fault('body_not_object', 'The body must be a JSON object, not {found}.', { found }),
    );
  }
  // Without a prototype: a field can be called `constructor` or `__proto__`.
  const errors: FieldErrors = Object.create(null);
  if (httpPart === 'querystring') readQuery(data as Query, validate.schema as QuerySchema, errors);
  const valid = validate(data);
  if (!valid) for (const error of validate.errors ?? []) addFault(error, errors);
  refuseUnstorable(data as object, errors);
  return Object.keys(errors).length > 0 ? invalid(errors) : undefined;
}

type Query = Record<string, unknown>;
type QueryParameter = { type?: string; anyOf?: { type?: string }[]; 'x-phone'?: boolean };
type QuerySchema = {
  properties: Record<string, QueryParameter>;
  additionalProperties?: boolean;
};

/**
 * Reads the integers of a query. Only digits are accepted, not `1e1`, `0x1` or ` 1`. Some languages write an
 * array as `page[]=1`, which would be ignored as a parameter of another name.
 */
function readQuery(query: Query, schema: QuerySchema, errors: FieldErrors): void {
  const isInteger = ({ type, anyOf }: QueryParameter) =>
    type === 'integer' || anyOf?.some((part) => part.type === 'integer');
  for (const [name, value] of Object.entries(query)) {
    const [field = ''] = name.split('[');
    if (!Object.hasOwn(schema.properties, field)) {
      if (schema.additionalProperties === false) add(errors, name, unknownParameter(schema));
    } else if (name !== field) {
      add(errors, field, fault('repeated_parameter', 'must be sent once, without brackets'));
    } else if (isInteger(schema.properties[field]!) && /^-?\d+$/.test(String(value))) {
      query[field] = Number(value);
    } else if (schema.properties[field]!['x-phone']) {
      // A client that does not encode the + of a phone has sent a space.
      query[field] = String(value).replace(/^ /, '+');
    }
  }
}

/** The fault of a query parameter that a list does not have. */
export function unknownParameter({ properties }: { properties?: object }): Fault {
  const names = Object.keys(properties ?? {});
  const known = names.length > 0 ? new Intl.ListFormat('en-GB').format(names) : 'none';
  return fault('unknown_parameter', 'is not a parameter of this list, which takes {known}', {
    known,
  });
}

function addFault(error: ErrorObject, into: FieldErrors): void {
  // A union reports for its parts. Unknown query parameters are reported when the query is read.
  if (/\/(anyOf|oneOf)\/\d+\/|^#\/additionalProperties$/.test(error.schemaPath)) return;
  // The rules of a name report what is wrong with it.
  if (error.keyword === 'propertyNames') return;
  if (error.keyword === 'required') {
    add(into, fieldName(error.instancePath, error.params.missingProperty), required);
    return;
  }
  for (const each of describeFault(error)) add(into, fieldName(error.instancePath), each);
}

function add(errors: FieldErrors, field: string, one: Fault): void {
  errors[field] ??= [];
  const faults = errors[field];
  const isNew = faults.every(({ text }) => text !== one.text);
  if (isNew && faults.length < maxMessages) faults.push(one);
}

/**
 * Refuses text that PostgreSQL cannot store, and values nested so deeply that walking them would overflow the
 * stack. Reports one such fault for each field of the body: keys inside a field can be long, and repeating
 * them for each fault could make a response of gigabytes.
 */
function refuseUnstorable(data: object, errors: FieldErrors): void {
  for (const [field, value] of Object.entries(data)) {
    const found = faultIn(field, 0) ?? faultIn(value, 0);
    if (found) add(errors, unstorableFault(field) ? 'body' : field, found);
  }
}

function faultIn(value: unknown, depth: number): Fault | undefined {
  if (typeof value === 'string') return unstorableFault(value);
  if (value === null || typeof value !== 'object') return undefined;
  if (depth === maxDepth) return tooDeep;
  for (const [key, each] of Object.entries(value)) {
    const found = faultIn(key, depth) ?? faultIn(each, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** `/contact/firstname` as `contact.firstname`. An entry of an array goes by the array's name. */
function fieldName(path: string, last?: string): string {
  const parts = path.split('/').filter((part) => part !== '' && !/^\d+$/.test(part));
  if (last) parts.push(last);
  return parts.map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~')).join('.') || 'body';
}
