/**
 * Returns the files of a paste. Spreadsheets copy cells as text and as a picture of them: then there are none, so that
 * the text is pasted. File managers may also copy the names of files as text.
 */
export function pastedFiles(data: DataTransfer | null): File[] {
  const files = [...(data?.files ?? [])];
  const text = data?.getData('text/plain') ?? '';
  return text === '' || files.every(({ name }) => text.includes(name)) ? files : [];
}
