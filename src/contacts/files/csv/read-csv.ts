import { type Fault, fault } from '../../../platform/errors/fault.ts';
import { createLineQueue } from './line-queue.ts';
import { type LineEnd, type Row, readLine } from './read-csv-line.ts';

/**
 * A row of a CSV file with its first and last line, counted from 1. A row with a `problem` has the cells as
 * far as they could be read.
 */
export type CsvRecord = { line: number; lastLine: number; cells: string[]; problem?: Fault };

/** A quoted cell that is longer than this counts as never closed. */
const maxLinesMore = 1_000;
const maxRowLength = 1_000_000;
/** The number of columns of a spreadsheet. */
const maxCells = 16_384;

/**
 * Reads the rows of a CSV file, in the memory of a few rows. The separator is the comma, semicolon or tab that
 * is most frequent in the first line, unless a line such as `sep=;` before it names one, as some programs
 * write for spreadsheets. A cell in quotes can contain line breaks. A quote inside an unquoted cell is text.
 *
 * A quote that is never closed would swallow all rows after it. Such a row is returned with its problem, and
 * reading continues in the next line. A quote counts as never closed if there is no closing quote before the
 * end of the file or within a thousand lines, or if more text follows that quote, which then starts a quoted
 * cell of a later row.
 *
 * The time is linear in the length of the file: where an open quote closes depends only on the lines after
 * it, so rows that are open at the same time share one search for their end.
 *
 * `read` takes the next part of the text, which may end within a line, and `end` ends the text. Consume all rows of
 * one call before the next one. `steps` counts the characters that were read, with repetitions.
 */
export function createCsvReader() {
  const lines = createLineQueue(maxRowLength);
  let delimiter: string | undefined;
  /** The row of the first line of the queue, while it waits for lines to close its quote. */
  let open: Row | undefined;
  /** All lines of the queue between the first and this one are inside the quote, without its end. */
  let searched = 1;
  /** The number of characters in these lines. */
  let searchedLength = 0;
  /** How the quote ends in the line at `searched`, once that is known. */
  let ending: 'whole' | 'broken' | undefined;
  let steps = 0;

  function look(row: Row, line: string): LineEnd {
    steps += line.length + 1;
    return readLine(row, line, delimiter!);
  }

  /** Takes the first lines from the queue; returns the number of the first. */
  function take(count: number): number {
    const number = lines.numberOfFirst();
    if (count < searched) {
      for (let place = 1; place <= count; place++) searchedLength -= lines.at(place)!.length;
      searched -= count;
    } else {
      searched = 1;
      searchedLength = 0;
      ending = undefined;
    }
    lines.drop(count);
    open = undefined;
    return number;
  }

  /** Finds how the quote that the first line opens ends; undefined until more lines have arrived. */
  function findEnding(isAll: boolean): 'whole' | 'broken' | undefined {
    const { length } = lines.at(0)!;
    while (searched <= maxLinesMore && length + searchedLength <= maxRowLength) {
      if (ending) return ending;
      const line = lines.at(searched);
      if (line === undefined) return isAll ? 'broken' : undefined;
      const end = look({ cells: [], open: '\n' }, line);
      if (end !== 'open') {
        ending = end;
        return end;
      }
      searched++;
      searchedLength += line.length;
    }
    return 'broken';
  }

  function* rows(isAll: boolean): Generator<CsvRecord, void> {
    for (let text = lines.at(0); text !== undefined; text = lines.at(0)) {
      steps++;
      if (text === '') {
        take(1);
        continue;
      }
      if (delimiter === undefined) {
        delimiter = /^"?sep=([^"])"?$/i.exec(text)?.[1];
        if (delimiter !== undefined) {
          take(1);
          continue;
        }
        delimiter = mostFrequent([',', ';', '\t'], text);
      }
      if (text.length > maxRowLength) {
        const line = take(1);
        const problem = fault('row_too_long', 'row is longer than {max} characters', {
          max: maxRowLength,
        });
        yield { line, lastLine: line, cells: [], problem };
        continue;
      }
      const row: Row = open ?? { cells: [] };
      let count = 1;
      if (row === open || look(row, text) === 'open') {
        open = row;
        const found = findEnding(isAll);
        if (found === undefined) return;
        if (found === 'broken') {
          steps += text.length;
          const line = take(1);
          const problem = fault('row_with_open_quote', 'row opens a quote that is never closed');
          yield { line, lastLine: line, ...withinLimit(text.split(delimiter)), problem };
          continue;
        }
        for (; count <= searched; count++) look(row, lines.at(count)!);
      }
      const line = take(count);
      yield { line, lastLine: line + count - 1, ...withinLimit(row.cells) };
    }
  }

  return {
    read(text: string): Iterable<CsvRecord> {
      steps += text.length;
      lines.add(text);
      return rows(false);
    },
    end(): Iterable<CsvRecord> {
      lines.end();
      return rows(true);
    },
    steps: () => steps,
  };
}

function withinLimit(cells: string[]): { cells: string[]; problem?: Fault } {
  if (cells.length <= maxCells) return { cells };
  const problem = fault('row_with_too_many_cells', 'row has more than {max} cells', {
    max: maxCells,
  });
  return { cells: [], problem };
}

function mostFrequent(delimiters: string[], line: string): string {
  const counts = delimiters.map((each) => line.split(each).length);
  return delimiters[counts.indexOf(Math.max(...counts))]!;
}
