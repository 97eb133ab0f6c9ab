/** Readers of JSON that another program wrote, so that each part may be missing or odd. */

/** Reads an object; an empty one if there is none. */
export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Reads a field of an object. */
export function field(value: unknown, name: string): unknown {
  return record(value)[name];
}

/** Reads a list; an empty one if there is none. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Reads a text, or a number as text; an empty one if there is none. */
export function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
