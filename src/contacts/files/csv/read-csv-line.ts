/** `open` is the content of an open quoted cell so far. */
export type Row = { cells: string[]; open?: string };

/**
 * `open` if a quoted cell continues in the next line, `broken` if a quoted cell of an earlier line ends inside
 * a cell.
 */
export type LineEnd = 'whole' | 'open' | 'broken';

/** Adds a line to a row. Time is linear in the length of the line. */
export function readLine(row: Row, line: string, delimiter: string): LineEnd {
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
    const closing = closingQuote(line, at);
    row.open += line.slice(at, closing).replaceAll('""', '"');
    if (closing === line.length) {
      row.open += '\n';
      return 'open';
    }
    at = closing + 1;
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

/** Finds the quote that ends the cell; two in a row are a quote of its text. The end of the line if none does. */
function closingQuote(line: string, from: number): number {
  let at = line.indexOf('"', from);
  while (at >= 0 && line[at + 1] === '"') at = line.indexOf('"', at + 2);
  return at < 0 ? line.length : at;
}
