import { Type } from 'typebox';
import { fault } from '../../platform/errors/fault.ts';
import { Nullable } from '../../platform/http/field-schema.ts';
import { isVisible, optionalLine } from '../../platform/values/texts/name.ts';

const domainPart = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?';

const email = {
  pattern: `^(?:[^\\s\\p{Cc}@"(),:;<>[\\]\\\\]+@(?:${domainPart}\\.)+${domainPart})?$`,
  maxLength: 254,
  'x-message': fault('not_an_email_address', 'must be an email address'),
};

const emailPattern = new RegExp(email.pattern, 'u');

/**
 * The types of contact fields. `optional` is the schema of an optional field. `fit` makes a valid value from the
 * text of another system, which must not be refused, or null if nothing is left of it.
 */
export const fieldTypes = {
  line: {
    optional: (more: object) => optionalLine(255, more),
    fit: oneLine,
  },
  email: {
    optional: (more: object) => Type.Optional(Nullable('string', { ...email, ...more })),
    fit(text: string): string | null {
      const line = oneLine(text);
      return line !== null && isEmail(line) ? line : null;
    },
  },
};

function isEmail(text: string): boolean {
  return text !== '' && text.length <= email.maxLength && emailPattern.test(text);
}

/** Replaces line breaks and control characters, and shortens the text to 255 characters. */
function oneLine(text: string): string | null {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
  return isVisible(line) ? [...line].slice(0, 255).join('').trimEnd() : null;
}
