export type Schema = Record<string, unknown>;

const known = new Set(
  `type properties patternProperties additionalProperties required items enum const anyOf oneOf allOf $ref
   description examples example default format pattern minimum maximum minLength maxLength minItems
   maxItems uniqueItems minProperties maxProperties propertyNames discriminator`.split(/\s+/),
);

/** @throws Error for an unknown keyword, whose type could be too wide */
export function typeOf(schema: Schema): string {
  for (const keyword of Object.keys(schema)) {
    if (!known.has(keyword)) throw new Error(`unknown keyword ${keyword}`);
  }
  if (schema.$ref) return `components['schemas']['${String(schema.$ref).split('/').at(-1)}']`;
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return (schema.enum as unknown[]).map(literal).join(' | ');
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (choices) return choices.map(typeOf).join(' | ');
  if (schema.allOf) return (schema.allOf as Schema[]).map(typeOf).join(' & ');
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
  if (named.length + others.length === 0) return 'Record<string, never>';
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

/** Writes an object type with a comment for each described field. */
export function fields(
  of: [name: string, schema: Schema, required: boolean][],
  others: string[] = [],
) {
  const lines = of.map(([name, schema, required]) => {
    const comment = schema.description ? `/** ${String(schema.description)} */\n` : '';
    const key = /^\w+$/.test(name) ? name : quote(name);
    return `${comment}${key}${required ? '' : '?'}: ${typeOf(schema)};`;
  });
  return `{\n${[...lines, ...others].join('\n')}\n}`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? quote(value) : JSON.stringify(value);
}

export function quote(text: string): string {
  return `'${text}'`;
}
