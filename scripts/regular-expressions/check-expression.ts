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

/** Matches an escape, a character class, a repeat with its counts, a bracket or an alternative. */
const tokens =
  /\\(?:u\{[^}]*\}|p\{[^}]*\}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\{(\d+)(?:(,)(\d*))?\}|[*+()|]/gi;

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
 * steps at each position are limited by the length of the expression. With one repeat of one character in an
 * expression that is tried at one position only, they are limited by the lengths of that repeat.
 */
function isPlain(source: string, flags: string): boolean {
  let [depth, repeats] = [0, 0];
  let isTriedOnce = source.startsWith('^') && !flags.includes('m');
  for (const { 0: token, index } of source.matchAll(tokens)) {
    if (token === '(') depth++;
    if (token === ')') depth--;
    if (token === '|' && depth === 0) isTriedOnce = false;
    if (/^[*+{]/.test(token)) {
      repeats++;
      if (source[index - 1] === ')') isTriedOnce = false;
    }
    // A backreference takes as long as the text that its group has matched.
    if (/^\\[1-9k]/.test(token)) isTriedOnce = false;
  }
  return repeats === 0 || (repeats === 1 && isTriedOnce);
}

function abridged(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
