/** Dropped lines are cut off the queue together, as each cut copies what is left. */
const linesOfCut = 1_000;

/**
 * The lines of a text that comes in parts, as a queue. Of a line that is too long only so much is kept
 * that this can be seen.
 */
export function createLineQueue(maxLength: number) {
  let lines: string[] = [];
  /** Those before it were dropped. */
  let first = 0;
  let dropped = 0;
  /** The beginning of the next line. */
  let rest = '';
  /** It may be half of a CRLF. */
  let endsWithCr = false;
  let isBeginning = true;

  function withRest(text: string): string {
    if (rest === '' && text.length <= maxLength) return text;
    return rest.length > maxLength ? rest : rest + text.slice(0, maxLength + 1 - rest.length);
  }

  return {
    add(text: string): void {
      if (text === '') return;
      if (first > linesOfCut) {
        lines = lines.slice(first);
        first = 0;
      }
      let added = isBeginning ? text.replace(/^\ufeff/, '') : text;
      isBeginning = false;
      if (endsWithCr) added = `\r${added}`;
      endsWithCr = added.endsWith('\r');
      if (endsWithCr) added = added.slice(0, -1);
      const parts = added.split(/\r\n|\n|\r/);
      const last = parts.length - 1;
      for (let index = 0; index < last; index++) {
        lines.push(withRest(parts[index]!));
        rest = '';
      }
      rest = withRest(parts[last]!);
    },
    /** Ends the last line. */
    end(): void {
      if (rest !== '') lines.push(rest);
      rest = '';
    },
    /** The line at a place of the queue, 0 for the first. */
    at(place: number): string | undefined {
      return lines[first + place];
    },
    /** The number of the first line in the whole text, which begins with line 1. */
    numberOfFirst(): number {
      return dropped + 1;
    },
    drop(count: number): void {
      first += count;
      dropped += count;
    },
  };
}
