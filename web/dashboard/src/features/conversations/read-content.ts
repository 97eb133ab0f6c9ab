/** Reads a field of a content that another program wrote, so each part may be missing or odd. */
export function field(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | null | undefined)?.[name];
}

/** Reads a text, or a number as text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
