import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { isRejectedData } from '../../platform/database/failures/error-codes.ts';

/**
 * Does for parts of a list what PostgreSQL has rejected for the whole: it halves the list until the bad rows are
 * alone, and rejects those. The others keep their order.
 */
export async function publishApart<Row>(
  tx: Db,
  rows: Row[],
  publish: (rows: Row[]) => Promise<void>,
  reject: (row: Row, error: unknown) => Promise<void>,
): Promise<void> {
  await tx.query(sql`savepoint part`);
  try {
    await publish(rows);
    await tx.query(sql`release savepoint part`);
  } catch (error) {
    if (!isRejectedData(error)) throw error;
    await tx.query(sql`rollback to savepoint part`);
    await tx.query(sql`release savepoint part`);
    if (rows.length === 1) return reject(rows[0]!, error);
    const middle = Math.ceil(rows.length / 2);
    await publishApart(tx, rows.slice(0, middle), publish, reject);
    await publishApart(tx, rows.slice(middle), publish, reject);
  }
}
