import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { readCell, writeLine } from '../csv/csv-format.ts';
import { type RefusedRow, reasonOf } from './refused-row.ts';

/**
 * Creates the report of an import: a CSV file of the refused rows, each with its reason. The file is created
 * with its first row.
 *
 * @param maxBytes rows that do not fit are counted in the last line
 */
export function createImportReport(path: string, maxBytes: number) {
  let file: WriteStream | undefined;
  let failure: Error | undefined;
  let bytes = 0;
  let leftOut = 0;

  async function write(line: string): Promise<void> {
    if (!file) {
      file = createWriteStream(path, { mode: 0o600 });
      // An error event without a listener would end the process, and most of the time no call waits.
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
      // The values as they were read: `writeLine` adds the apostrophe before a formula again.
      const row = reportLine([line, reasonOf(refused), ...cells.map(readCell)]);
      if (bytes + Buffer.byteLength(row) > maxBytes) leftOut++;
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

/** PostgreSQL stores some reports and does not accept NUL. */
function reportLine(cells: (string | number)[]): string {
  return writeLine(cells).replaceAll('\0', '\ufffd');
}
