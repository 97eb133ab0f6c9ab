import sql, { type Sql } from 'sql-template-tag';
import { type Db, prepared } from '../../platform/database/database.ts';
import type { MessageRow } from '../queries.ts';

/** How a send ended, to be written beside what was written down before. */
export type Completion = {
  tenantId: number;
  id: number;
  status: 'sent' | 'failed' | 'unknown';
  networkId: string | null;
  error: object | null;
  /** The network refused it, so the token's day gets it back. */
  refunded: boolean;
};

/**
 * Completes many sends in one statement. A callback may have come first: what it said stays where
 * it says more.
 */
export async function completeMessages(
  db: Db,
  completed: Completion[],
  clockOffsetMs: number,
): Promise<void> {
  await db.query(
    prepared(
      'complete-messages',
      sql`
        select complete_messages(
          now() + ${clockOffsetMs}::float8 * interval '1 ms', ${completionArrays(completed)})`,
    ),
  );
}

/** The arrays that the functions of migration 0017 take of completions. */
export function completionArrays(completed: Completion[]): Sql {
  const done = completed.toSorted((a, b) => a.tenantId - b.tenantId || a.id - b.id);
  return sql`
    ${done.map((each) => each.tenantId)}, ${done.map((each) => each.id)},
    ${done.map((each) => each.status)}, ${done.map((each) => each.networkId)},
    ${done.map((each) => each.error && JSON.stringify(each.error))},
    ${done.map((each) => each.refunded)}`;
}

/** Completes one send in a transaction with something else, as `Database.batched` would run it. */
export async function completeWithin(
  tx: Db,
  completion: Completion,
  clockOffsetMs: number,
): Promise<void> {
  await tx.query(sql`set local enable_seqscan = off`);
  await completeMessages(tx, [completion], clockOffsetMs);
}

/** The message that a run wrote down. */
export async function findMessageOfRun(
  db: Db,
  tenantId: number,
  runId: number,
): Promise<Pick<MessageRow, 'phone' | 'status' | 'network_id'> | undefined> {
  const { rows } = await db.query<Pick<MessageRow, 'phone' | 'status' | 'network_id'>>(sql`
    select phone, status, network_id from messages
    where tenant_id = ${tenantId} and run_id = ${runId}`);
  return rows[0];
}
