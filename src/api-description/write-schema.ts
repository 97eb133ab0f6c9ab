import { isDeepStrictEqual } from 'node:util';

export type Schema = Record<string, unknown>;

export type SchemaWriter = ReturnType<typeof createSchemaWriter>;

/**
 * Converts the schemas of routes for the API description. A schema with a title becomes a component
 * of that name, constants become an enum, which OpenAPI 3.0 has too, and keywords of our own are removed.
 */
export function createSchemaWriter() {
  const components = new Map<string, Schema>();

  /** The description of a titled schema is written beside the reference, not in the component. */
  function write(schema: object): Schema {
    if ('x-shape' in schema) return write(schema['x-shape'] as object);
    const { title, description, ...written } = rewrite(schema as Schema);
    const ownDescription = description === undefined ? {} : { description };
    return typeof title === 'string'
      ? { ...ownDescription, ...referTo(title, written) }
      : { ...written, ...ownDescription };
  }

  function rewrite(schema: Schema): Schema {
    const choices = constantsOf(schema);
    const written: Schema = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (/^(x-|~)/.test(keyword)) continue;
      if (keyword === 'anyOf' && choices) Object.assign(written, choices);
      else if (keyword === 'allOf')
        Object.assign(written, allRules((value as Schema[]).map(write)));
      else if (keyword === 'const') written.enum = [value];
      else if (keyword === 'pattern') Object.assign(written, portablePattern(value as string));
      else written[keyword] = rewriteKeyword(keyword, value);
    }
    return isLargeInteger(written) ? { ...written, format: 'int64' } : written;
  }

  function rewriteKeyword(keyword: string, value: unknown): unknown {
    switch (keyword) {
      case 'properties':
      case 'patternProperties':
        return Object.fromEntries(
          Object.entries(value as Record<string, Schema>).map(([name, each]) => [
            name,
            write(each),
          ]),
        );
      case 'anyOf':
      case 'oneOf':
        return (value as Schema[]).map(write);
      case 'items':
      case 'propertyNames':
      case 'additionalProperties':
        return typeof value === 'object' ? write(value as Schema) : value;
      default:
        return value;
    }
  }

  function referTo(title: string, schema: Schema): Schema {
    const known = components.get(title) ?? schema;
    if (!isDeepStrictEqual(known, schema)) {
      throw new Error(`two different schemas have the title ${title}`);
    }
    components.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  }

  return {
    write,
    /** The schemas with a title that were written so far, in alphabetical order. */
    named: (): Record<string, Schema> =>
      Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/**
 * Returns the example of a schema, or composes one from the examples of its parts.
 *
 * @param named the schemas with a title, if the schema refers to one
 */
export function exampleOf(schema: Schema, named: Record<string, Schema> = {}): unknown {
  const { $ref: reference, examples, items, properties, allOf } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (typeof reference === 'string') return exampleOf(named[reference.split('/').at(-1)!]!, named);
  if ('const' in schema) return schema.const;
  if ('enum' in schema) return (schema.enum as unknown[])[0];
  if ('x-shape' in schema) return exampleOf(schema['x-shape'] as Schema, named);
  if (items) return [exampleOf(items as Schema, named)];
  if (allOf) {
    return Object.assign({}, ...(allOf as Schema[]).map((each) => exampleOf(each, named)));
  }
  const fields = Object.entries((properties ?? {}) as Record<string, Schema>);
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, named)]));
}

/** Whether an integer needs 64 bits. Generators choose 32 for integers without a format, but ids can be larger. */
function isLargeInteger({ type, maximum }: Schema): boolean {
  const types = [type].flat();
  return types.includes('integer') && !types.includes('string') && !(Number(maximum) < 2 ** 31);
}

/**
 * Rewrites a pattern so that every language can read it; patterns that cannot be rewritten are omitted. Go has no
 * lookaheads, PHP no `\u`, Python no `\p`, and PHP compares bytes, which excludes ranges above ASCII. The result may
 * accept a little more than the service, which checks everything.
 */
function portablePattern(pattern: string): Schema {
  const written = pattern
    .replace(/\\p\{Cc\}(\\u2028\\u2029)?/, '\\x00-\\x1f\\x7f')
    .replace(/^\^\(\?!\\s\*\$\)\[\^(.*)\]\*\$$/, '^[^\\S$1]*[^\\s$1][^$1]*$');
  return /\\[pu]|\(\?!/.test(written) ? {} : { pattern: written };
}

/** Leaves out schemas that are empty, such as a pattern that other languages cannot read. */
function allRules(schemas: Schema[]): Schema {
  const rules = schemas.filter((each) => Object.keys(each).length > 0);
  return rules.length === 1 ? rules[0]! : { allOf: rules };
}

/** Converts an `anyOf` of string constants to an enum. */
function constantsOf({ anyOf }: Schema): Schema | undefined {
  if (!Array.isArray(anyOf)) return undefined;
  if (!anyOf.every((each) => typeof each.const === 'string')) return undefined;
  return { type: 'string', enum: anyOf.map((each) => each.const) };
}
