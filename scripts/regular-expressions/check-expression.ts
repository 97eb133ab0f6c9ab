import recheck from 'recheck';

/**
 * A larger count of repeats is checked like an unlimited one. A thousand squared is a stall too, and for
 * unlimited repeats the checker has an exact algorithm; for large counts it only searches for a slow input.
 */
const maxRepeats = 8;

/** Ends a hanging check. The checks are limited by steps, so that their result does not depend on time. */
const timeoutMs = 60_000;

/**
 * Checks whether a regular expression takes more than linear time for some input.
 *
 * @returns why it is refused; undefined if its time is linear
 */
export function checkExpression(source: string, flags: string): string | undefined {
  const checked = withoutLargeCounts(source);
  if (isPlain(checked, flags)) return undefined;
  // The only backend that exists on every platform. The others are Java and a binary.
  process.env.RECHECK_SYNC_BACKEND = 'pure';
  const result = recheck.checkSync(checked, flags, {
    timeout: timeoutMs,
    attackTimeout: null,
    incubationTimeout: null,
    seedingTimeout: null,
    attackLimit: 2_000_000,
    maxAttackStringSize: 20_000,
  });
  if (result.status === 'safe') return undefined;
  if (result.status === 'unknown') return `cannot be checked (${result.error.kind})`;
  return `can take ${result.complexity.summary} time, as with ${abridged(result.attack.pattern)}`;
}

/** Matches an escape, a character class, a repeat with its counts, the beginning of a group or a character. */
const tokens =
  /\\(?:u\{[^}]*\}|p\{[^}]*\}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\{(\d+)(?:(,)(\d*))?\}|\((?:\?(?::|<?[=!]|<\w+>))?|[\s\S]/giu;

/** Replaces every large count by an open end: `{1,64}` becomes `+`. */
export function withoutLargeCounts(source: string): string {
  return source.replace(tokens, (token, min?: string, comma?: string, max?: string) => {
    if (min === undefined) return token;
    const maxCount = comma ? Number(max || 0) : Number(min);
    if (Math.max(Number(min), maxCount) <= maxRepeats) return token;
    return min === '0' ? '*' : '+';
  });
}

/**
 * Whether an expression is obviously linear, which spares most expressions the check. Without repeats, the
 * steps at each position are limited by the length of the expression. With one repeat of one character, they are
 * limited by the lengths of that repeat. This is linear if the expression is tried at one position only, or if the
 * repeat follows a character that it does not match: then no two tries read the same text.
 */
function isPlain(source: string, flags: string): boolean {
  const parts = Array.from(source.matchAll(tokens), ([token]) => token);
  let [depth, repeats] = [0, 0];
  let isTriedOnce = source.startsWith('^') && !flags.includes('m');
  let isSeparate = false;
  for (const [index, token] of parts.entries()) {
    if (token.startsWith('(')) depth++;
    if (token === ')') depth--;
    if (token === '|' && depth === 0) isTriedOnce = false;
    // A backreference takes as long as the text that its group has matched.
    if (/^\\[1-9k]/.test(token)) return false;
    if (!/^(?:[*+]|\{.+\})$/.test(token)) continue;
    const isOfGroup = parts[index - 1] === ')';
    // Large counts have been replaced. A small one multiplies the steps by a few.
    if (token.startsWith('{') && !token.endsWith(',}') && !isOfGroup) continue;
    repeats++;
    if (isOfGroup) isTriedOnce = false;
    else isSeparate = followsOther(parts.slice(0, index), flags);
  }
  return repeats === 0 || (repeats === 1 && (isTriedOnce || isSeparate));
}

/** Whether the last part of an expression does not match the character that must come before it. */
function followsOther(parts: string[], flags: string): boolean {
  const last = parts.at(-1)!;
  const before = parts.slice(0, -1).findLast((part) => part !== '(' && part !== '(?:') ?? '';
  // A character that stands for itself.
  if (!/^(?:[^\\^$.*+?()[\]{}|]|\\[^\w\s])$/u.test(before)) return false;
  return !new RegExp(`^${last}$`, flags.replace(/[gy]/g, '')).test(before.replace('\\', ''));
}

function abridged(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
