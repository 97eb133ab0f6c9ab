import { appliedMigrations } from '../backup/snapshot.ts';
import { type Cells, MoveRefused, type MoveSession } from './move-session.ts';

/**
 * Refuses a move between cells of different schemas. A program works with a newer schema too, but what its migrations
 * corrected would be missing in the rows that are copied there.
 *
 * @throws MoveRefused
 */
export async function checkSchemas(
  { here, there }: Cells,
  { hereDb, thereDb }: MoveSession,
): Promise<void> {
  const cells = [
    { cell: here.config.cell, names: await namesIn(hereDb) },
    { cell: there.config.cell, names: await namesIn(thereDb) },
  ];
  for (const { cell, names } of cells) {
    const other = cells.find((each) => each.cell !== cell)!;
    const more = names.filter((name) => !other.names.includes(name)).at(-1);
    if (more === undefined) continue;
    throw new MoveRefused(
      `${cell} has the migration ${more}, and ${other.cell} does not. Bring both cells to the same version first.`,
    );
  }
}

async function namesIn(db: MoveSession['hereDb']): Promise<string[]> {
  return (await appliedMigrations(db)).map(({ name }) => name);
}
