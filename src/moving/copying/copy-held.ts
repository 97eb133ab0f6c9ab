import type pg from 'pg';
import { notOfTenants } from '../../backup/format.ts';
import { beginSnapshot, sequencesOf } from '../../backup/snapshot.ts';
import { keyHash, readSecrets, writeSecrets } from '../../backup/tables/sealed-columns.ts';
import { readAccounts, renewAccounts, writeAccounts } from '../../backup/tenants/accounts.ts';
import { forgetFingerprints } from '../../backup/tenants/import-tenant.ts';
import { raiseSequences } from '../../backup/tenants/raise-sequences.ts';
import { settleSends } from '../../messages/sending/settle-abandoned.ts';
import { findCountedTo, takeOverOutcomes } from '../../overview/take-over-outcomes.ts';
import type { Cells } from '../move-session.ts';
import { type Copying, compareCopies } from './compare-copies.ts';
import { compareChanges, writeChanges } from './copy-changes.ts';
import type { CopiedFiles, FileCopy } from './copy-files.ts';
import { copyTable } from './copy-table.ts';
import { isCopiedEarly } from './early-tables.ts';
import { type CopyState, stageChanges } from './stage-changes.ts';
import { readTenant, updateTenantRow } from './tenant-row.ts';

export type Copied = {
  rows: number;
  /** Those that were copied while the tenant was held. */
  heldRows: number;
  /** Undefined if they stay behind. */
  files: CopiedFiles | undefined;
};

/** Copies what was not copied yet, once the tenant is held. */
export async function copyHeld(
  { here, there }: Cells,
  copying: Copying,
  state: CopyState,
  fileCopy: FileCopy | undefined,
): Promise<Copied> {
  const { reader, writer, hereId, thereId } = copying;
  const tables = (await beginSnapshot(reader)).filter(
    ({ name }) => !Object.hasOwn(notOfTenants, name),
  );
  const changes = await stageChanges(copying, tables.filter(isCopiedEarly), state);
  await updateTenantRow(writer, thereId, await readTenant(reader, hereId));
  const accounts = await readAccounts(reader, here.vault, hereId);
  await writeAccounts(writer, there.vault, accounts);
  await renewAccounts(writer, there.vault, accounts);
  let heldRows = 0;
  for (const table of tables) {
    const ofTable = changes.find((each) => each.table === table);
    heldRows += ofTable ? ofTable.changedRows : await copyTable(copying, table);
    if (ofTable) await writeChanges(copying, ofTable);
  }
  const inHold = tables.filter((table) => !isCopiedEarly(table));
  let rows = await compareCopies(copying, inHold);
  for (const each of changes) rows += await compareChanges(copying, each, { isLast: true });
  await writeSecrets(writer, there.vault, thereId, await readSecrets(reader, here.vault, hereId));
  await forgetOfOtherKey({ here, there }, writer, thereId);
  const files = await fileCopy?.copyRest(reader, writer);
  const countedTo = await findCountedTo(reader, hereId);
  const walks = await reader.query<{ settled_to: number }>(
    `select done_to as settled_to from message_walks where name = 'abandoned'`,
  );
  const { settled_to } = walks.rows[0]!;
  const sequences = await sequencesOf(reader);
  await reader.query('commit');
  // From here on, changes are new and are counted.
  await writer.query(`set local parley.importing = 'off'`);
  await settleSends(writer, thereId, settled_to);
  await raiseSequences(writer, sequences);
  await takeOverOutcomes(writer, thereId, countedTo);
  return { rows, heldRows, files };
}

/** Forgets the fingerprints of requests if the cells have different master keys. */
export async function forgetOfOtherKey(
  { here, there }: Pick<Cells, 'here' | 'there'>,
  writer: pg.ClientBase,
  thereId: number,
): Promise<void> {
  if (keyHash(here.vault) !== keyHash(there.vault)) await forgetFingerprints(writer, thereId);
}
