const longest = 200;

/** What is wrong with a name that is shown in a line of a list; undefined when nothing is. */
export function nameProblem(name: string): string | undefined {
  const isOneLine = !/[\p{Cc}\u2028\u2029]/u.test(name) && name.isWellFormed();
  if (isOneLine && name.trim() !== '' && name.length <= longest) return undefined;
  return `must have 1 to ${longest} characters on one line, and not only spaces`;
}

/**
 * The pattern of such a name in a schema, which bounds the length beside it. A body of a megabyte is
 * held against it too, so no part of it may be tried anew from every character.
 */
export const namePattern = '^(?!\\s*$)[^\\p{Cc}\\u2028\\u2029]*$';
