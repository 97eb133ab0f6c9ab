type Schema = Record<string, unknown>;

/**
 * Writes schemas of routes as the description has them: a schema with a title becomes a component
 * of that name, a choice between constants becomes an enum, and what only we read is left out.
 */
export function createSchemaWriter() {
  const components = new Map<string, { text: string; schema: Schema }>();

  function write(schema: unknown): Schema {
    const { title, ...written } = rewrite(schema as Schema);
    return typeof title === 'string' ? name(title, written) : written;
  }

  function rewrite(schema: Schema): Schema {
    const choices = constantsOf(schema);
    const written: Schema = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (/^(x-|~)/.test(keyword)) continue;
      if (keyword === 'anyOf' && choices) Object.assign(written, choices);
      else if (keyword === 'pattern') Object.assign(written, patternForAll(value as string));
      else written[keyword] = rewriteKeyword(keyword, value);
    }
    return written;
  }

  function rewriteKeyword(keyword: string, value: unknown): unknown {
    switch (keyword) {
      case 'properties':
      case 'patternProperties':
        return Object.fromEntries(
          Object.entries(value as Schema).map(([name, each]) => [name, write(each)]),
        );
      case 'anyOf':
      case 'oneOf':
      case 'allOf':
        return (value as unknown[]).map(write);
      case 'items':
      case 'additionalProperties':
        return typeof value === 'object' ? write(value) : value;
      default:
        return value;
    }
  }

  function name(title: string, schema: Schema): Schema {
    const text = JSON.stringify(schema);
    const same = components.get(title);
    if (same && same.text !== text)
      throw new Error(`two different schemas have the title ${title}`);
    components.set(title, { text, schema });
    return { $ref: `#/components/schemas/${title}` };
  }

  return {
    write,
    /** Every schema with a title that was written so far, by its title in order of the alphabet. */
    named: (): Record<string, Schema> =>
      Object.fromEntries(
        [...components]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, { schema }]) => [key, schema]),
      ),
  };
}

export type SchemaWriter = ReturnType<typeof createSchemaWriter>;

/**
 * A pattern as every language reads it. `\p{...}` is for JavaScript with its `u` flag: Python fails on
 * it, and code that is generated without the flag takes `\p{Cc}` for the letters p, C and c. A pattern
 * that cannot do without is left to the service.
 */
function patternForAll(pattern: string): Schema {
  const written = pattern.replaceAll('\\p{Cc}', '\\u0000-\\u001f\\u007f-\\u009f');
  return written.includes('\\p') ? {} : { pattern: written };
}

/** `anyOf` of nothing but text constants, as the enum that it is. */
function constantsOf({ anyOf }: Schema): Schema | undefined {
  if (!Array.isArray(anyOf)) return undefined;
  if (!anyOf.every((each) => typeof each.const === 'string')) return undefined;
  return { type: 'string', enum: anyOf.map((each) => each.const) };
}
