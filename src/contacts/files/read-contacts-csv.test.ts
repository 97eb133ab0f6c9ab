import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readContactsCsv } from './read-contacts-csv.ts';

test.each([
  ['rows that can be contacts', 'Ann,+4915112345678\n'],
  ['rows that cannot', 'a,1\n'],
  ['quotes that are never closed', '"a,b\n'],
  ['quotes that each row opens and closes', 'a",""",\n'],
])('others get a turn of the event loop after every hundred %s', async (_, row) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const path = join(folder, 'contacts.csv');
  await writeFile(path, `name,phone\n${row.repeat(5_000)}`);
  let [rows, rowsOfTurn, mostOfTurn] = [0, 0, 0];
  let isDone = false;
  (function turn() {
    rowsOfTurn = 0;
    if (!isDone) setImmediate(turn);
  })();
  try {
    const read = readContactsCsv(
      path,
      () => {},
      () => {},
    );
    for await (const _ of read) {
      rows++;
      mostOfTurn = Math.max(mostOfTurn, ++rowsOfTurn);
    }
  } finally {
    isDone = true;
    await rm(folder, { recursive: true });
  }
  expect(rows).toBe(5_000);
  expect(mostOfTurn).toBeLessThanOrEqual(100);
});
