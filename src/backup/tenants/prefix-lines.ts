import { ArchiveProblem } from '../../platform/archive/read-archive.ts';

/**
 * Creates a function that adds a text at the start of each line of a stream. In the text format of COPY, this adds a
 * first column.
 *
 * @throws ArchiveProblem for a carriage return, which COPY also takes for the end of a line and never writes
 */
export function createLinePrefixer(prefix: string): (chunk: Buffer) => Buffer {
  let isAtStart = true;
  return (chunk) => {
    // Keeps every byte. The prefix and line breaks are ASCII, which no other UTF-8 character contains.
    const text = chunk.toString('latin1');
    if (text.includes('\r')) throw new ArchiveProblem('The file has a carriage return in a row.');
    const endsLine = text.endsWith('\n');
    const body = (endsLine ? text.slice(0, -1) : text).replaceAll('\n', `\n${prefix}`);
    const prefixed = `${isAtStart ? prefix : ''}${body}${endsLine ? '\n' : ''}`;
    isAtStart = endsLine;
    return Buffer.from(prefixed, 'latin1');
  };
}
