/** Dropped lines are removed from the queue together, because each removal copies the rest. */
const linesOfCut = 1_000;

/**
 * A queue of the lines of a text that arrives in parts. A line that is too long is cut, just long enough to
 * show that it is.
 */
export function createLineQueue(maxLength: number) {
  let lines: string[] = [];
  /** The lines before it have been dropped. */
  let first = 0;
  let dropped = 0;
  /** The beginning of the next line. */
  let rest = '';
  /** It may be the first half of a CRLF. */
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
    /** Returns the line at a place in the queue, 0 for the first. */
    at(place: number): string | undefined {
      return lines[first + place];
    },
    /** The number of the first line in the whole text, which starts with line 1. */
    numberOfFirst(): number {
      return dropped + 1;
    },
    drop(count: number): void {
      first += count;
      dropped += count;
    },
  };
}
