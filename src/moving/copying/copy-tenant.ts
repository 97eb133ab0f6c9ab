import type pg from 'pg';
import { beginSnapshot } from '../../backup/snapshot.ts';
import type { Table } from '../../backup/tables/describe-tables.ts';
import { insertTenant } from '../../backup/tenants/insert-tenant.ts';
import type { Services } from '../../services.ts';
import { untilKnown } from '../holding/hold-tenant.ts';
import { changeState, insertArrival } from '../move-queries.ts';
import type { Cells } from '../move-session.ts';
import type { Copying } from './compare-copies.ts';
import { catchUp } from './copy-changes.ts';
import { createFileCopy, type FileCopy } from './copy-files.ts';
import { type Copied, copyHeld, forgetOfOtherKey } from './copy-held.ts';
import { copyInSlices, estimateRowsOf } from './copy-in-slices.ts';
import { earlyPartOf } from './early-tables.ts';
import { oldestTransaction } from './oldest-transaction.ts';
import type { CopyState } from './stage-changes.ts';
import { readTenant, type TenantRow } from './tenant-row.ts';

/** Gets the number of rows that were copied so far, and about how many there are. */
export type OnRows = (copied: number, expected: number) => void;

/**
 * Copies a tenant to another database. Its row comes first, so that every process there knows that it is not used yet.
 * The rest is one transaction: it appears as a whole or not at all.
 *
 * @param withoutFiles leaves its kept files here
 * @param settle waits for long work that changes many rows. Called once most rows and files are copied
 * @param hold keeps the tenant from changing. Called after that
 * @param onRows is called while the tenant serves
 * @returns the number of rows, and what was done with its files
 */
export async function copyTenant(
  cells: Cells,
  given: {
    tenantId: number;
    moveId: number;
    withoutFiles: boolean;
    settle(): Promise<void>;
    hold(): Promise<void>;
    onRows?: OnRows | undefined;
  },
): Promise<Copied> {
  const reader = await connect(cells.here);
  const writer = await connect(cells.there);
  let files: FileCopy | undefined;
  try {
    const thereId = await announce(cells.there, writer, await readTenant(reader, given.tenantId), {
      id: given.moveId,
      otherCell: cells.here.config.cell,
    });
    if (!given.withoutFiles) {
      files = createFileCopy(cells, { hereId: given.tenantId, thereId });
    }
    await files?.copyEarly();
    await writer.query('begin');
    await writer.query(`set local parley.importing = 'on'`);
    const copying = { reader, writer, hereId: given.tenantId, thereId };
    const { tables, copied: first } = await copyEarly(copying, given.onRows);
    // Forgets most fingerprints before the hold, because a large tenant has as many as it sends in a day.
    await forgetOfOtherKey(cells, writer, thereId);

    // Files and rows that are new or changed since they were copied. This keeps the hold short.
    await files?.copyEarly();
    await given.settle();
    const state = await catchUp(copying, tables, first);
    await given.hold();
    const copied = await copyHeld(cells, copying, state, files);
    await changeState(writer, thereId, { id: given.moveId, from: ['arriving'], to: 'arrived' });
    await writer.query('commit');
    return copied;
  } catch (error) {
    await files?.giveUp().catch(() => {});
    throw error;
  } finally {
    // Without a commit, everything is rolled back.
    await Promise.all([reader.end(), writer.end()]);
  }
}

/** @returns the id that the tenant has there */
async function announce(
  there: Services,
  writer: pg.ClientBase,
  row: TenantRow,
  move: { id: number; otherCell: string },
): Promise<number> {
  await writer.query('begin');
  const thereId = await insertTenant(there, writer, row);
  await insertArrival(writer, thereId, move);
  await writer.query('commit');
  await untilKnown(writer, { tenant_id: thereId, id: move.id });
  return thereId;
}

/** Copies the early tables as they are now, in slices. */
async function copyEarly(
  copying: Copying,
  onRows: OnRows = () => {},
): Promise<{ tables: Table[]; copied: CopyState }> {
  const { reader, writer, hereId } = copying;
  const tables = earlyPartOf(await beginSnapshot(reader));
  const since = await oldestTransaction(reader);
  const expected = await estimateRowsOf(reader, tables, hereId);
  const counts = new Map<string, number>();
  let copiedRows = 0;
  for (const client of [reader, writer]) await preferIndexes(client, true);
  for (const table of tables) {
    const count = await copyInSlices(copying, table, (rows) => {
      copiedRows += rows;
      onRows(copiedRows, expected);
    });
    counts.set(table.name, count);
  }
  await reader.query('commit');
  await preferIndexes(writer, false);
  return { tables, copied: { counts, since } };
}

async function connect({ db }: Services): Promise<pg.Client> {
  const client = await db.connect();
  // One side waits while the other one works. Texts of values, which are compared, depend on these settings.
  await client.query(
    `set idle_in_transaction_session_timeout = '10min'; set timezone = 'UTC'; set extra_float_digits = 1`,
  );
  return client;
}

/**
 * Makes PostgreSQL read the slices from indexes. Otherwise PostgreSQL, which has no statistics of rows that are not committed,
 * may read and sort all rows for each slice.
 */
async function preferIndexes(client: pg.ClientBase, isOn: boolean): Promise<void> {
  for (const name of ['enable_seqscan', 'enable_bitmapscan', 'enable_sort']) {
    await client.query(`set local ${name} to ${isOn ? 'off' : 'default'}`);
  }
}
