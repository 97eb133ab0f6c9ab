import { Type } from 'typebox';
import { invalid } from '../../errors/api-error.ts';
import { type Fault, fault } from '../../errors/fault.ts';
import { Nullable } from '../../http/field-schema.ts';
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
 * Checks and trims a name, or another line of text, that does not come in a request body.
 *
 * @throws ApiError 422 on `field`
 */
export function nameFrom(text: string, field = 'name'): string {
  const faults = [unstorableFault(text) ?? nameFaults(text, 200)].flat();
  if (faults.length > 0) throw invalid({ [field]: faults });
  return trimName(text);
}

/** Lists the faults of a name, with what was found. */
export function nameFaults(text: string, maxLength: number): Fault[] {
  const faults = lineFaults(text, maxLength);
  if (text === '') return [notEmpty];
  if (isVisible(text)) return faults;
  return [
    fault('nothing_visible', 'must have a visible character; it has only spaces or invisible ones'),
    ...faults,
  ];
}

/** Lists the faults of a one-line text that may be empty. */
export function lineFaults(text: string, maxLength: number): Fault[] {
  const faults: Fault[] = [];
  const length = lengthOf(text);
  if (length > maxLength) {
    faults.push(tooLong(maxLength, length));
  }
  // NUL is reported by `unstorableFault`, as in any text.
  const found = /(?!\0)[\p{Cc}\u2028\u2029]/u.exec(text);
  if (found) {
    const position = lengthOf(text.slice(0, found.index)) + 1;
    const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    faults.push(
      /[\n\v\f\r\u0085\u2028\u2029]/.test(found[0])
        ? fault('line_break', 'must be on one line; it has a line break at character {position}', {
            position,
          })
        : fault(
            'control_character',
            'must not have control characters; it has U+{code} at character {position}',
            { code, position },
          ),
    );
  }
  return faults;
}

/** @param found the actual number of characters */
export function tooLong(max: number, found: number): Fault {
  const text = `must have at most ${characters(max)}; it has {found}`;
  return fault('too_long', text, { max, found });
}

export const notEmpty = fault('empty', 'must not be empty');

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
