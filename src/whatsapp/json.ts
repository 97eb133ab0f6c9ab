/** A JSON object whose fields have not been checked. */
export type Json = Record<string, unknown>;

/** Returns the value if it is an object, otherwise undefined. */
export function record(value: unknown): Json | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Json)
    : undefined;
}

/** Returns the value if it is an array, otherwise an empty array. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the value if it is a string, otherwise undefined. */
export function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns the value of an integer or of a string with its digits, otherwise undefined. */
export function integer(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

/**
 * Returns the value if it can be an error code, which have up to six digits, otherwise undefined.
 */
export function errorCode(value: unknown): number | undefined {
  const code = integer(value);
  return code !== undefined && Math.abs(code) < 2 ** 31 ? code : undefined;
}

/**
 * Returns the value if it can be the network's id of a number or an account, otherwise undefined.
 */
export function plainId(value: unknown): string | undefined {
  return typeof value === 'string' && /^\w{1,64}$/.test(value) ? value : undefined;
}

/** Parses a JSON object; undefined if the text is not one. */
export function parseObject(text: string): Json | undefined {
  try {
    return record(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Removes NUL and replaces lone surrogates, which PostgreSQL cannot store in text. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Text of the network for people to read, cut to a length that fits a page. */
export function shortText(value: unknown): string | null {
  const text = string(value);
  return text === undefined ? null : storable(text.slice(0, 100));
}

/** More than anything the network sends has; deeper values become null. */
const maxDepth = 32;

/** Makes all text in a JSON value storable. */
export function storableJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return storable(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth >= maxDepth) return null;
  if (Array.isArray(value)) return value.map((each) => storableJson(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [storable(key), storableJson(each, depth + 1)]),
  );
}
