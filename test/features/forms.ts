/** A part of a form: a field, or a file with its declared type. */
export type Part = [name: string, value: string | FilePart];
type FilePart = { filename: string; type?: string; bytes: Buffer };

const boundary = 'form-boundary';
/** The end of every form. */
export const formEnd = `--${boundary}--\r\n`;
export const formType = { 'content-type': `multipart/form-data; boundary=${boundary}` };

/** Writes a form byte by byte, so that tests decide its order and its faults. */
export function formOf(...parts: Part[]): Buffer {
  const pieces = parts.flatMap(([name, value]) => [...headOf(name, value), Buffer.from('\r\n')]);
  return Buffer.concat([...pieces, Buffer.from(formEnd)]);
}

function headOf(name: string, value: string | FilePart): Buffer[] {
  const start = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
  if (typeof value === 'string') return [Buffer.from(`${start}\r\n\r\n${value}`)];
  const { filename, type, bytes } = value;
  const head = `${start}; filename="${filename}"${type ? `\r\ncontent-type: ${type}` : ''}\r\n\r\n`;
  return [Buffer.from(head), bytes];
}
