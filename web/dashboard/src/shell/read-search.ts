/** Readers of the search parameters of an address, which can be anything. */

/** Reads a text, which the router may have parsed as a number. */
export function readText(value: unknown, maxLength = 60): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return String(value).slice(0, maxLength) || undefined;
}

/** Reads an integer; undefined if it is none, or less than `min`. */
export function readWhole(value: unknown, min: number): number | undefined {
  const number = Number(value);
  return value !== undefined && Number.isSafeInteger(number) && number >= min ? number : undefined;
}

/** Reads a time without a zone. */
export function readClock(value: unknown): string | undefined {
  const text = String(value);
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text);
  return isTime && !Number.isNaN(Date.parse(`${text}Z`)) ? text : undefined;
}
