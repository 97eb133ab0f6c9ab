import { Type } from 'typebox';
import { invalid } from '../errors.ts';
import { Nullable } from './http/field-schema.ts';
import { unstorableFault } from './text-faults.ts';

/**
 * One line with something other than spaces. Bodies of a megabyte are matched too, so no part may be
 * tried again from every character.
 */
const pattern = '^(?!\\s*$)[^\\p{Cc}\\u2028\\u2029]*$';

/** A name in a request body, trimmed during validation by {@link trimName}. */
export function Name(maxLength: number, more: object = {}) {
  return Type.String({ pattern, maxLength, 'x-name': true, ...more });
}

/** A text of one line that can be left out. Validation trims it; nothing visible becomes null. */
export function optionalLine(maxLength: number, more: object = {}) {
  return Type.Optional(
    Nullable('string', {
      pattern: '^[^\\p{Cc}\\u2028\\u2029]*$',
      maxLength,
      'x-trimmed': true,
      ...more,
    }),
  );
}

/**
 * Checks and trims a name that does not come in a request body.
 *
 * @throws ApiError 422 on `name`
 */
export function nameFrom(text: string): string {
  const faults = [unstorableFault(text) ?? nameFaults(text, 200)].flat();
  if (faults.length > 0) throw invalid({ name: faults });
  return trimName(text);
}

/** The faults of a name: what is wrong, and what was found. */
export function nameFaults(text: string, maxLength: number): string[] {
  const faults = lineFaults(text, maxLength);
  if (text === '') return ['must not be empty'];
  if (isVisible(text)) return faults;
  return ['must have a visible character; it has only spaces or invisible ones', ...faults];
}

/** The same for a text of one line that can be empty. */
export function lineFaults(text: string, maxLength: number): string[] {
  const faults: string[] = [];
  const length = lengthOf(text);
  if (length > maxLength) {
    faults.push(
      `must have at most ${characters(maxLength)}; it has ${length.toLocaleString('en')}`,
    );
  }
  // NUL is reported by `unstorableFault`, as in any text.
  const found = /(?!\0)[\p{Cc}\u2028\u2029]/u.exec(text);
  if (found) {
    const place = `at character ${(lengthOf(text.slice(0, found.index)) + 1).toLocaleString('en')}`;
    const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    faults.push(
      /[\n\v\f\r\u0085\u2028\u2029]/.test(found[0])
        ? `must be on one line; it has a line break ${place}`
        : `must not have control characters; it has U+${code} ${place}`,
    );
  }
  return faults;
}

/** So many characters, in words. */
export function characters(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'character' : 'characters'}`;
}

/** In code points, as the schemas count. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Whether the text has a visible character. Zero-width joiners, fillers and U+2800 do not count. */
export function isVisible(text: string): boolean {
  return /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/**
 * Removes the spaces around a name, including those without a width and those that only set the
 * direction of writing. With them, two names that look alike would be two.
 */
export function trimName(name: string): string {
  let [from, to] = [0, name.length];
  while (from < to && isSpace.test(name[from]!)) from++;
  while (from < to && isSpace.test(name[to - 1]!)) to--;
  return name.slice(from, to);
}

const isSpace = /[\s\u061c\u200b\u200e\u200f\u2060]/;
