import sql from 'sql-template-tag';
import { locksWithId, masterKeyLockClass, schemaLockClass } from '../database/advisory-locks.ts';
import type { Database } from '../database/database.ts';
import { sha256, type Vault } from './crypto.ts';

type Given = { db: Database; vault: Vault };

/**
 * Shows other processes, as long as this one lives, which master keys it has, and in which order.
 *
 * @returns ends it earlier
 */
export function showKeys({ db, vault }: Given): Promise<() => Promise<void>> {
  return db.lockForLife(masterKeyLockClass, idOf(vault));
}

/** Counts the processes of the service that have other master keys, or the same ones in another order. */
export async function countOtherKeys({ db, vault }: Given): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    with locks as ${locksWithId}
    select count(*)::int as count from locks as process
    where classid = ${schemaLockClass} and not exists (
      select from locks as shown
      where shown.pid = process.pid and shown.classid = ${masterKeyLockClass} and shown.objid = ${idOf(vault)})`);
  return rows[0]!.count;
}

/** 31 bits of a hash of the keys. */
function idOf(vault: Vault): number {
  return sha256(vault.deriveAll('keys in use').join(' ')).readUInt32BE() >>> 1;
}
