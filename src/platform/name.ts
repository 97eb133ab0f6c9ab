import { Type } from 'typebox';
import { invalid } from '../errors.ts';

const restOfLine = '[^\\p{Cc}\\u2028\\u2029]*$';
/**
 * On one line, and not only spaces. A body of a megabyte is held against it too, so no part of it may
 * be tried anew from every character.
 */
const pattern = `^(?!\\s*$)${restOfLine}`;
const isLine = new RegExp(pattern, 'u');

const words = (longest: number) =>
  `must be text on one line, 1 to ${longest} characters, not only spaces or invisible ones`;

/** A name in a body: who reads it finds it as {@link trimName} leaves it. */
export function Name(longest: number, more: object = {}) {
  return Type.String({
    pattern,
    maxLength: longest,
    'x-name': true,
    'x-message': words(longest),
    ...more,
  });
}

/**
 * The same of what is given to a verb.
 *
 * @throws ApiError 422 on `name`
 */
export function nameFrom(text: string): string {
  const longest = 200;
  if (isLine.test(text) && text.isWellFormed() && text.length <= longest && isVisible(text)) {
    return trimName(text);
  }
  throw invalid({ name: [words(longest)] });
}

/**
 * One line of text in a body that may be left out. Spaces around it are removed; null, and text without
 * a visible character, count as absent.
 */
export function OptionalLine(longest: number, more: object = {}) {
  return Type.Optional(
    Type.Unsafe<string | null>({
      pattern: `^${restOfLine}`,
      maxLength: longest,
      'x-trimmed': true,
      'x-message': `must be text on one line, at most ${longest} characters`,
      ...more,
      type: ['string', 'null'],
    }),
  );
}

/** Whether there is anything to see: neither joiners nor fillers are, and the blank of Braille is not. */
export function isVisible(text: string): boolean {
  return /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/**
 * A name without the spaces around it, also those that have no width and those that only say in which
 * direction to write: with them, two names that look alike would be two.
 */
export function trimName(name: string): string {
  let [from, to] = [0, name.length];
  while (from < to && isSpace.test(name[from]!)) from++;
  while (from < to && isSpace.test(name[to - 1]!)) to--;
  return name.slice(from, to);
}

const isSpace = /[\s\u061c\u200b\u200e\u200f\u2060]/;
