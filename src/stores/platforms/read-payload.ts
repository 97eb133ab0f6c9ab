import { isLosslessNumber, type LosslessNumber, parse } from 'lossless-json';

/** JSON with numbers as they were written: ids of stores are longer than a number can hold. */
export type Json = null | boolean | string | LosslessNumber | Json[] | Payload;
export type Payload = { [name: string]: Json };

/** The object that a body holds; undefined when it holds none. Nesting without end is none. */
export function readPayload(body: Buffer): Payload | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value = parse(text, null, { onDuplicateKey: ({ newValue }) => newValue }) as Json;
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError || error instanceof TypeError) {
      return undefined;
    }
    throw error;
  }
}

export function isObject(value: Json | undefined): value is Payload {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)
  );
}

/** Whether the object itself, and not its prototype, has one of these names with a value. */
export function hasAny(payload: Payload, ...names: string[]): boolean {
  return names.some((name) => Object.hasOwn(payload, name) && payload[name] !== null);
}

/** What is at a place such as `billing.phone` or `line_items.0.name`; undefined when nothing is. */
export function valueAt(payload: Payload, path: string): Json | undefined {
  let value: Json | undefined = payload;
  for (const name of path.split('.')) {
    const isInside: boolean =
      typeof value === 'object' && value !== null && !isLosslessNumber(value);
    if (!isInside || !Object.hasOwn(value as object, name)) return undefined;
    value = (value as Payload)[name];
  }
  return value;
}

/**
 * The text at a place: on one line, without what PostgreSQL cannot keep. Numbers as they were
 * written; undefined where there is nothing, an empty text, a list or an object.
 */
export function textAt(payload: Payload, path: string): string | undefined {
  const value = valueAt(payload, path);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && !isLosslessNumber(value)) return undefined;
  const text = String(value).replaceAll('\0', '').toWellFormed();
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim() || undefined;
}

/** The first of several places that has a text. */
export function firstText(payload: Payload, ...paths: string[]): string | undefined {
  for (const path of paths) {
    const text = textAt(payload, path);
    if (text !== undefined) return text;
  }
  return undefined;
}
