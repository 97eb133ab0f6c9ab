import type pg from 'pg';

/**
 * The first line of a migration that builds or drops indexes while others write to the table. PostgreSQL does not do
 * this in a transaction, so a migration with this line has nothing else.
 */
const firstLine = '-- concurrently';

const create = /^create (?:unique )?index concurrently if not exists (\w+)\s/;
const drop = /^drop index concurrently if exists \w+$/;

/** Whether a migration is one of indexes only. */
export function isOfIndexes(migration: string): boolean {
  return migration.split('\n', 1)[0]?.trimEnd() === firstLine;
}

/**
 * Runs the statements of an index migration one by one. If it was ended in the middle, it can run again: an index
 * that was not finished is dropped, and built anew.
 *
 * @throws Error if a statement is neither `create index concurrently if not exists` nor `drop index concurrently if
 *   exists`
 */
export async function buildIndexes(client: pg.ClientBase, migration: string): Promise<void> {
  const statements = statementsOf(migration);
  const other = statements.find(
    (each) => each.includes(';') || !(create.test(each) || drop.test(each)),
  );
  if (other !== undefined) {
    throw new Error(
      `after "${firstLine}" there can only be "create index concurrently if not exists name on ..." and ` +
        `"drop index concurrently if exists name", each with a semicolon at the end of a line, but not: ${other}`,
    );
  }
  for (const statement of statements) {
    const [, name] = create.exec(statement) ?? [];
    if (name !== undefined && (await isUnfinished(client, name))) {
      await client.query(`drop index concurrently ${name}`);
    }
    await client.query(statement);
  }
}

function statementsOf(migration: string): string[] {
  const isComment = (line: string) => line.trimStart().startsWith('--');
  const lines = migration.split('\n').filter((line) => !isComment(line));
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .split(/;$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** Whether an index is left of a build that was ended or failed. No query uses it, but every write maintains it. */
async function isUnfinished(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [name],
  );
  return rows.length > 0;
}
