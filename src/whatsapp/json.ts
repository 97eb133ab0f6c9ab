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

/** The object that a text is the JSON of, or undefined. */
export function parseObject(text: string): Json | undefined {
  try {
    return record(JSON.parse(text));
  } catch {
    return undefined;
  }
}
