/**
 * A row of a CSV file with the lines that it is written in, the first of the file being 1. With a
 * `problem` it has the cells as far as they can be told apart.
 */
export type CsvRecord = { line: number; lastLine: number; cells: string[]; problem?: string };

/** A quoted cell that goes on for longer was never closed. */
const mostLinesMore = 1_000;
const longestRow = 1_000_000;

/**
 * Reads the rows of a CSV file, in the memory of a few. Comma, semicolon or tab, whichever the first
 * line has most of, separates, or what a line `sep=;` before it says, which spreadsheets read and some
 * programs write for them; a cell in quotes can hold line breaks; a quote inside a cell without
 * is text.
 *
 * A quote that is opened and never closed would swallow every row after it, so that row is given
 * with its problem and reading goes on in the line after it. Never closed means: not before the end
 * of the file, not within a thousand lines, or in a later line by a quote that more text follows,
 * which is the beginning of a quoted cell there.
 *
 * @param chunks the text of the file, without regard to its lines
 */
export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  const unread = linesOf(chunks);
  const again: string[] = [];
  let line = 0;
  async function next(): Promise<string | undefined> {
    line++;
    return again.shift() ?? (await unread.next()).value;
  }

  let delimiter: string | undefined;
  for (let text = await next(); text !== undefined; text = await next()) {
    if (text === '') continue;
    if (delimiter === undefined) {
      delimiter = /^"?sep=([^"])"?$/i.exec(text)?.[1];
      if (delimiter !== undefined) continue;
    }
    delimiter ??= mostFrequent([',', ';', '\t'], text);
    const first = line;
    if (text.length > longestRow) {
      const problem = `row is longer than ${longestRow.toLocaleString('en')} characters`;
      yield { line, lastLine: line, cells: [], problem };
      continue;
    }
    const row: Row = { cells: [] };
    const more: string[] = [];
    let length = text.length;
    let state = readLine(row, text, delimiter);
    while (state === 'open') {
      const isTooLong = more.length === mostLinesMore || length > longestRow;
      const following = isTooLong ? undefined : await next();
      if (following === undefined) {
        state = 'broken';
        break;
      }
      more.push(following);
      length += following.length;
      state = readLine(row, following, delimiter);
    }
    if (state === 'whole') {
      yield { line: first, lastLine: line, cells: row.cells };
    } else {
      again.unshift(...more);
      line = first;
      const problem = 'row opens a quote that is never closed';
      yield { line, lastLine: line, cells: text.split(delimiter), problem };
    }
  }
}

/** `open` is what a quoted cell holds so far. */
type Row = { cells: string[]; open?: string };

/**
 * Adds a line to a row.
 *
 * @returns `open` when a quoted cell goes on in the next line, `broken` when one that began in an
 *   earlier line ends inside a cell
 */
function readLine(row: Row, line: string, delimiter: string): 'whole' | 'open' | 'broken' {
  let at = 0;
  const endOfCell = () => {
    const end = line.indexOf(delimiter, at);
    return end === -1 ? line.length : end;
  };
  while (at <= line.length) {
    if (row.open === undefined && line[at] !== '"') {
      const end = endOfCell();
      row.cells.push(line.slice(at, end));
      at = end + 1;
      continue;
    }
    if (row.open === undefined) {
      row.open = '';
      at++;
    }
    const quoted = /((?:[^"]+|"")*)("?)/y;
    quoted.lastIndex = at;
    const [all, text, closing] = quoted.exec(line)!;
    row.open += text!.replaceAll('""', '"');
    at += all.length;
    if (!closing) {
      row.open += '\n';
      return 'open';
    }
    const end = endOfCell();
    if (end === at) {
      row.cells.push(row.open);
    } else {
      if (row.open.includes('\n')) return 'broken';
      // `"Bob" Lee`: the quotes are part of the text.
      row.cells.push(`"${row.open}"${line.slice(at, end)}`);
    }
    row.open = undefined;
    at = end + 1;
  }
  return 'whole';
}

/** Of a line that is too long only so much is kept that this can be seen. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string, undefined> {
  let rest = '';
  let isFirst = true;
  for await (const chunk of chunks) {
    rest += isFirst ? chunk.replace(/^\ufeff/, '') : chunk;
    isFirst = false;
    // A CR at the end may be half of a CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!.slice(0, longestRow + 1);
    yield* lines;
  }
  rest = rest.replace(/\r$/, '');
  if (rest !== '') yield rest;
}

function mostFrequent(delimiters: string[], line: string): string {
  const counts = delimiters.map((each) => line.split(each).length);
  return delimiters[counts.indexOf(Math.max(...counts))]!;
}
