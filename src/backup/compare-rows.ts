import { ArchiveProblem } from '../platform/archive/read-archive.ts';
import type { EndRecord } from './format.ts';

/**
 * Compares the rows that were read with those that were written.
 *
 * @throws ArchiveProblem
 */
export function compareRows(
  path: string,
  read: Record<string, number>,
  end: EndRecord | undefined,
): asserts end is EndRecord {
  if (!end) throw new ArchiveProblem(`${path} is not complete: its end is missing.`);
  for (const [name, count] of Object.entries(end.rows)) {
    if (read[name] === count) continue;
    throw new ArchiveProblem(`${path} has ${read[name] ?? 0} rows of ${name} instead of ${count}.`);
  }
}

export function total(rows: EndRecord['rows']): number {
  return Object.values(rows).reduce((sum, each) => sum + each, 0);
}
