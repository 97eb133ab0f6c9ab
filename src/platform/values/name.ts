import { Type } from 'typebox';
import { invalid } from '../errors/api-error.ts';
import { Nullable } from '../http/field-schema.ts';
import { unstorableFault } from './text-faults.ts';

/**
 * One line with at least one character that is not a space. Bodies of a megabyte are matched too, so the
 * pattern must not backtrack from every character.
 */
const pattern = '^(?!\\s*$)[^\\p{Cc}\\u2028\\u2029]*$';

/** A name in a request body, trimmed during validation by {@link trimName}. */
export function Name(maxLength: number, more: object = {}) {
  return Type.String({ pattern, maxLength, 'x-name': true, ...more });
}

/**
 * A one-line text that may be left out. Validation trims it; a text without visible characters becomes null.
 */
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

/** Lists the faults of a name, with what was found. */
export function nameFaults(text: string, maxLength: number): string[] {
  const faults = lineFaults(text, maxLength);
  if (text === '') return ['must not be empty'];
  if (isVisible(text)) return faults;
  return ['must have a visible character; it has only spaces or invisible ones', ...faults];
}

/** Lists the faults of a one-line text that may be empty. */
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
    const position = `at character ${(lengthOf(text.slice(0, found.index)) + 1).toLocaleString('en')}`;
    const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    faults.push(
      /[\n\v\f\r\u0085\u2028\u2029]/.test(found[0])
        ? `must be on one line; it has a line break ${position}`
        : `must not have control characters; it has U+${code} ${position}`,
    );
  }
  return faults;
}

/** Formats a number of characters: `1 character`, `1,000 characters`. */
export function characters(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'character' : 'characters'}`;
}

/** The length in code points, as JSON schemas count it. */
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
 * Removes spaces around a name, including zero-width spaces and marks that only set the writing direction.
 * Otherwise two names that look the same would differ.
 */
export function trimName(name: string): string {
  let [from, to] = [0, name.length];
  while (from < to && isSpace.test(name[from]!)) from++;
  while (from < to && isSpace.test(name[to - 1]!)) to--;
  return name.slice(from, to);
}

const isSpace = /[\s\u061c\u200b\u200e\u200f\u2060]/;
