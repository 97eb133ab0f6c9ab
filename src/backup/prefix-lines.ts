/**
 * Creates a function that adds a text at the start of each line of a stream. In the text format of COPY, this adds a
 * first column.
 */
export function createLinePrefixer(prefix: string): (chunk: Buffer) => Buffer {
  let isAtStart = true;
  return (chunk) => {
    // Keeps every byte. The prefix and line breaks are ASCII, which no other UTF-8 character contains.
    const text = chunk.toString('latin1');
    const endsLine = text.endsWith('\n');
    const body = (endsLine ? text.slice(0, -1) : text).replaceAll('\n', `\n${prefix}`);
    const prefixed = `${isAtStart ? prefix : ''}${body}${endsLine ? '\n' : ''}`;
    isAtStart = endsLine;
    return Buffer.from(prefixed, 'latin1');
  };
}
