import type { ApiDescription } from '../src/api-description/description.ts';

/**
 * Converts the description to OpenAPI 3.0, for generators that read no later version, as most of Go and C#. It lacks
 * webhooks, but has their events as components, and of a template only the fields with a name.
 */
export function openapi30({ webhooks: _, ...description }: ApiDescription): object {
  const { summary: __, ...info } = description.info as Record<string, unknown>;
  return converted({ ...description, openapi: '3.0.3', info }) as object;
}

function converted(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(converted);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node);
  return Object.assign(
    {},
    ...entries.map(([key, value]) => convertedKeyword(key, value, entries.length)),
  );
}

function convertedKeyword(key: string, value: unknown, siblings: number): object {
  switch (key) {
    case 'patternProperties':
    case 'propertyNames':
      return {};
    case 'example':
      return { example: value };
    case 'examples':
      // A schema has a list of them, a body has them by name.
      return Array.isArray(value) ? { example: value[0] } : { examples: value };
    case '$ref':
      return siblings > 1 ? { allOf: [{ $ref: value }] } : { $ref: value };
    case 'type':
      return Array.isArray(value) ? typeOf(value) : { type: converted(value) };
    default:
      return { [key]: converted(value) };
  }
}

function typeOf(names: string[]): object {
  const types = names.filter((name) => name !== 'null');
  const nullable = types.length < names.length ? { nullable: true } : {};
  const [first, ...others] = types.map((type) => ({ type, ...nullable }));
  return others.length > 0 ? { anyOf: [first, ...others] } : first!;
}
