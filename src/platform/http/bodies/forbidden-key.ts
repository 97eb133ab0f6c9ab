/**
 * Finds the key for which Fastify's JSON parser refuses a value: `__proto__`, or `prototype` below
 * `constructor`. Code that copies such a key could change what every object inherits.
 *
 * @returns undefined if there is no such key, or the text is not valid JSON
 */
export function forbiddenKeyIn(json: string): string | undefined {
  let values: unknown[];
  try {
    values = [JSON.parse(json)];
  } catch {
    return undefined;
  }
  for (const value of values) {
    if (value === null || typeof value !== 'object') continue;
    if (Object.hasOwn(value, '__proto__')) return '__proto__';
    if (isObject(value.constructor) && Object.hasOwn(value.constructor, 'prototype')) {
      return 'constructor.prototype';
    }
    values.push(...Object.values(value));
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}
