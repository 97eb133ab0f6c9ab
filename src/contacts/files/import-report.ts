import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { readCell, writeLine } from './csv-format.ts';
import type { RefusedRow } from './read-contacts-csv.ts';

/**
 * The refused rows of an import with the reason of each: a CSV file that is made when its first row
 * is added.
 *
 * @param longest in bytes; the rows that do not fit in are counted in its last line
 */
export function createImportReport(path: string, longest: number) {
  let file: WriteStream | undefined;
  let failure: Error | undefined;
  let bytes = 0;
  let leftOut = 0;

  async function write(line: string): Promise<void> {
    if (!file) {
      file = createWriteStream(path);
      // Most of the time nobody waits for it, and an error that nobody hears ends the process.
      file.on('error', (error) => {
        failure = error;
      });
    }
    if (failure) throw failure;
    bytes += Buffer.byteLength(line);
    if (!file.write(line)) await once(file, 'drain');
  }

  return {
    headings: [] as string[],
    async add({ line, refused, cells }: RefusedRow): Promise<void> {
      if (!file) await write(reportLine(['line', 'reason', ...this.headings]));
      if (leftOut > 0) {
        leftOut++;
        return;
      }
      // As they are read: what stands before a formula in the file is put there again.
      const row = reportLine([line, refused, ...cells.map(readCell)]);
      if (bytes + Buffer.byteLength(row) > longest) leftOut++;
      else await write(row);
    },
    async close(): Promise<void> {
      if (leftOut > 0) {
        const count = leftOut.toLocaleString('en');
        await write(
          reportLine(['', `${count} more were refused, for which there is no room here`]),
        );
      }
      if (file) await finished(file.end());
    },
  };
}

/** PostgreSQL, which keeps some reports, takes no NUL. */
function reportLine(cells: (string | number)[]): string {
  return writeLine(cells).replaceAll('\0', '\ufffd');
}
