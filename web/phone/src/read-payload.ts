/** Reads an object of a payload that may have any shape; an empty one if there is none. */
export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Reads a list of a payload; an empty one if there is none. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Reads a text of a payload. Numbers count, as tests send them. */
export function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
