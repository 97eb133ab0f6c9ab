/** The current time for the name of a file, to the second: 2026-11-25T02-00-00Z. */
export function timeInName(): string {
  const time = new Date().toISOString();
  return time.replace(/\.\d+Z$/, 'Z').replaceAll(':', '-');
}
