/** A JSON object whose fields nobody has checked yet. */
export type Json = Record<string, unknown>;

/** The value when it is an object, else undefined. */
export function record(value: unknown): Json | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Json)
    : undefined;
}

/** The value when it is a list, else an empty one. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value when it is text, else undefined. */
export function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The number that a whole number or its text stands for, else undefined. */
export function integer(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

/** One of the network's error codes, which have up to six digits, else undefined. */
export function errorCode(value: unknown): number | undefined {
  const code = integer(value);
  return code !== undefined && Math.abs(code) < 2 ** 31 ? code : undefined;
}

/** An id of a number or an account of the network, else undefined. */
export function plainId(value: unknown): string | undefined {
  return typeof value === 'string' && /^\w{1,64}$/.test(value) ? value : undefined;
}

/** The object that a text is the JSON of, or undefined. */
export function parseObject(text: string): Json | undefined {
  try {
    return record(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** PostgreSQL takes neither NUL nor half of a surrogate pair in text. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Deeper than anything the network sends; what lies below is cut off. */
const deepest = 32;

/** The same value with all text in it storable. */
export function storableJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return storable(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth >= deepest) return null;
  if (Array.isArray(value)) return value.map((each) => storableJson(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [storable(key), storableJson(each, depth + 1)]),
  );
}
