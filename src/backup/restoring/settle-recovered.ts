import type { Database } from '../../platform/database/database.ts';
import { setSequences, skippedIds } from '../set-sequences.ts';
import { type SettledWork, settleUncertainWork } from '../settle-uncertain-work.ts';
import { sequencesOf } from '../snapshot.ts';
import { refuseProcesses } from './restore.ts';

/**
 * Does what a restore does at its end, for a database that PostgreSQL itself has brought back to an earlier time: by
 * point-in-time recovery, `pg_restore`, a snapshot of a disk, or a standby that was behind.
 *
 * @throws RestoreRefused while a process serves with the database
 */
export async function settleRecovered(db: Database): Promise<SettledWork> {
  const client = await db.connect();
  try {
    await client.query('begin');
    await refuseProcesses(client);
    await setSequences(client, await sequencesOf(client), skippedIds);
    await client.query('delete from auth."session"');
    const settled = await settleUncertainWork(client);
    await client.query('commit');
    return settled;
  } finally {
    // Without a commit, everything is rolled back.
    await client.end();
  }
}
