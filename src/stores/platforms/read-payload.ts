import { isLosslessNumber, type LosslessNumber, parse } from 'lossless-json';

/** JSON with numbers as they were written, because ids of stores exceed the range of a number. */
export type Json = null | boolean | string | LosslessNumber | Json[] | Payload;
export type Payload = { [name: string]: Json };

/** Parses a body as a JSON object; undefined if it is not one, or nested too deeply. */
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

/** Returns whether the object itself, not its prototype, has a value under one of the names. */
export function hasAny(payload: Payload, ...names: string[]): boolean {
  return names.some((name) => Object.hasOwn(payload, name) && payload[name] !== null);
}

/** Returns the value at a path such as `billing.phone` or `line_items.0.name`; undefined if there is none. */
export function valueAt(payload: Payload, path: string): Json | undefined {
  let value: Json | undefined = payload;
  for (const name of path.split('.')) value = valueIn(value, name);
  return value;
}

/**
 * Returns the paths that a path stands for. In place of a position in a list, it can have `last` for the last item, and
 * `*` for every item.
 */
export function expandPath(payload: Payload, path: string): string[] {
  let found: { value: Json | undefined; path: string }[] = [{ value: payload, path: '' }];
  for (const name of path.split('.')) {
    found = found.flatMap(({ value, path: before }) =>
      namesOf(value, name).map((each) => ({
        value: valueIn(value, each),
        path: before === '' ? each : `${before}.${each}`,
      })),
    );
  }
  return found.map((each) => each.path);
}

function namesOf(value: Json | undefined, name: string): string[] {
  if (!Array.isArray(value)) return [name];
  if (name === 'last') return value.length > 0 ? [String(value.length - 1)] : [];
  return name === '*' ? Object.keys(value) : [name];
}

function valueIn(value: Json | undefined, name: string): Json | undefined {
  const isInside = typeof value === 'object' && value !== null && !isLosslessNumber(value);
  return isInside && Object.hasOwn(value, name) ? (value as Payload)[name] : undefined;
}

/**
 * Returns the text at a path: on one line, without characters that PostgreSQL cannot store. A number is
 * returned as it was written. Undefined if there is no value, or an empty text, a list or an object.
 */
export function textAt(payload: Payload, path: string): string | undefined {
  const value = valueAt(payload, path);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && !isLosslessNumber(value)) return undefined;
  const text = String(value).replaceAll('\0', '').toWellFormed();
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim() || undefined;
}

/** Returns the texts at the paths that a path stands for, as `expandPath` finds them. */
export function textsAt(payload: Payload, path: string): string[] {
  return expandPath(payload, path).flatMap((each) => textAt(payload, each) ?? []);
}

/** Returns the text at the first path that has one. */
export function firstText(payload: Payload, ...paths: string[]): string | undefined {
  for (const path of paths) {
    const text = textAt(payload, path);
    if (text !== undefined) return text;
  }
  return undefined;
}
